// platformatic.mjs: a member of a consumer group, by @platformatic/kafka.
//
// node platformatic.mjs BOOTSTRAP GROUP TOPIC SESSION_MS prints what go-member does.
import { createRequire } from 'node:module'

// Found by NODE_PATH, which import doesn't know
const { Consumer } = await import(createRequire(import.meta.url).resolve('@platformatic/kafka'))
const [bootstrap, group, topic, session] = process.argv.slice(2)

function say(what, value) {
	process.stdout.write(JSON.stringify({ [what]: value }) + '\n')
}

const consumer = new Consumer({
	clientId: 'platformatic-member', groupId: group, bootstrapBrokers: [bootstrap], autocommit: false,
	sessionTimeout: Number(session), heartbeatInterval: session / 10, rebalanceTimeout: 10000, maxWaitTime: 200, retries: 100,
	retryDelay: 100,
})
consumer.on('consumer:group:join', ({ assignments }) =>
	say('have', (assignments || []).filter((a) => a.topic === topic).flatMap((a) => a.partitions)))
const stream = await consumer.consume({ topics: [topic], mode: 'committed', fallbackMode: 'earliest' })
process.on('SIGTERM', async () => {
	await consumer.close(true)
	process.exit(0)
})
for await (const message of stream) {
	say('got', [[message.partition, Number(message.offset), message.value.toString()]])
	try {
		await message.commit()
	} catch (error) {
		console.error(error.message)
	}
}
