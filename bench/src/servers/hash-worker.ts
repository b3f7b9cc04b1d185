import { parentPort, workerData } from 'node:worker_threads'
import { hashSync, verifySync } from '@node-rs/argon2'

/* A thread that verifies passwords for some seconds and reports how many. */

const { seconds } = workerData as { seconds: number }
const encoded = hashSync('Uma senha de teste 7', { memoryCost: 19_456, timeCost: 2, parallelism: 1 })
const end = performance.now() + seconds * 1_000
let done = 0
while (performance.now() < end) {
  verifySync(encoded, 'Uma senha de teste 7')
  done += 1
}
parentPort?.postMessage(done)
