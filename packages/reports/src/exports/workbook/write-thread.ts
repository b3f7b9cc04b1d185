import { parentPort, workerData } from 'node:worker_threads'
import { writeXlsx } from './write-xlsx.ts'

/* A thread that writes one file and ends. */

const bytes = writeXlsx(workerData)
parentPort?.postMessage(bytes, [bytes.buffer as ArrayBuffer])
