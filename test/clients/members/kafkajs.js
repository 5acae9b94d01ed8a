// kafkajs.js: a member of a consumer group, by kafkajs.
//
// node kafkajs.js BOOTSTRAP GROUP TOPIC SESSION_MS prints what go-member does.
const { Kafka, PartitionAssigners, logLevel } = require('kafkajs')

const [bootstrap, group, topic, session] = process.argv.slice(2)

// kafkajs's assigner has a name of its own; under Kafka's it can be in a group with other clients' members.
const roundRobin = (context) => {
	const own = PartitionAssigners.roundRobin(context)
	return { ...own, name: 'roundrobin', protocol: (arg) => ({ ...own.protocol(arg), name: 'roundrobin' }) }
}

function say(what, value) {
	process.stdout.write(JSON.stringify({ [what]: value }) + '\n')
}

async function main() {
	const kafka = new Kafka({ clientId: 'kafkajs-member', brokers: [bootstrap], logLevel: logLevel.NOTHING,
		retry: { initialRetryTime: 100, maxRetryTime: 1000, retries: 100 } })
	const consumer = kafka.consumer({ groupId: group, sessionTimeout: Number(session), heartbeatInterval: session / 10,
		rebalanceTimeout: 10000, partitionAssigners: [roundRobin], maxWaitTimeInMs: 200 })
	consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => say('have', payload.memberAssignment[topic] || []))
	consumer.on(consumer.events.CRASH, ({ payload }) => console.error(payload.error))
	process.on('SIGTERM', async () => {
		await consumer.disconnect()
		process.exit(0)
	})
	await consumer.connect()
	await consumer.subscribe({ topic, fromBeginning: true })
	await consumer.run({
		autoCommit: false,
		eachBatch: async ({ batch }) => {
			say('got', batch.messages.map((m) => [batch.partition, Number(m.offset), m.value.toString()]))
			await consumer.commitOffsets([{ topic, partition: batch.partition, offset: String(Number(batch.lastOffset()) + 1) }])
		},
	})
}

main().catch((error) => {
	console.error(error)
	process.exit(1)
})
