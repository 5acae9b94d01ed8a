// produce.js: produces with kafkajs.
//
// node produce.js BOOTSTRAP TOPIC PARTITION COUNT IDEMPOTENT CODEC sends COUNT records "key-N", "value-N" and prints the base offset of
// each request as JSON, one a line.
const { Kafka, CompressionTypes, logLevel } = require('kafkajs')

const [bootstrap, topic, partition, count, idempotent, codec] = process.argv.slice(2)

async function main() {
	const kafka = new Kafka({ clientId: 'kafkajs-test', brokers: [bootstrap], logLevel: logLevel.ERROR })
	const producer = kafka.producer({ idempotent: idempotent === 'true', maxInFlightRequests: 1 })
	await producer.connect()
	for (let sent = 0; sent < Number(count);) {
		const messages = []
		for (; messages.length < 10 && sent < Number(count); sent++)
			messages.push({
				key: `key-${sent}`, value: `value-${sent}`, partition: Number(partition), headers: { n: String(sent) },
			})
		const [answer] = await producer.send({
			topic, messages, acks: -1, compression: codec === 'gzip' ? CompressionTypes.GZIP : CompressionTypes.None,
		})
		console.log(JSON.stringify({ offset: answer.baseOffset, error: answer.errorCode }))
	}
	await producer.disconnect()
}

main().catch((error) => {
	console.error(error)
	process.exit(1)
})
