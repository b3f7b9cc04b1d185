import { parentPort } from 'node:worker_threads'
import { verifySync } from '@node-rs/argon2'
import type { Verification, VerificationResult } from './password-threads.ts'

/* A thread that verifies the passwords of a batch one after the other (password-threads.ts). */

const verify = ({ encoded, password }: Verification): VerificationResult => {
  try {
    return verifySync(encoded, password)
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

parentPort?.on('message', (batch: Verification[]) => parentPort?.postMessage(batch.map(verify)))
