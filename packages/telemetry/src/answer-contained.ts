import { readSync, writeSync } from 'node:fs'
import { deserialize, serialize } from 'node:v8'

/*
 * What a program of `runContained` does with its one input. It uses descriptors that are already
 * open, in the plainest way: it may open no other.
 */

const INPUT = 0
const ANSWER = 3
/** Descriptors of the files that `runContained` passes on begin here. */
export const FIRST_FILE = 4
/** Bytes of the number before the input that says how many follow. */
export const LENGTH_BYTES = 6

/** Says that the code is loaded, answers one input, and ends. */
export const answerContained = async <Input>(work: (input: Input) => unknown): Promise<void> => {
  writeSync(ANSWER, '.')
  const input = deserialize(read(read(LENGTH_BYTES).readUIntBE(0, LENGTH_BYTES)))
  // Nothing follows the input: the end of the stream is the end of the service.
  process.stdin.once('end', endAtOnce).resume()
  let said: unknown
  try {
    said = { answer: await work(input) }
  } catch (error) {
    said = { failure: String((error as Error)?.message ?? error).slice(0, 10_000) }
  }
  const bytes = serialize(said)
  for (let done = 0; done < bytes.length; ) done += writeSync(ANSWER, bytes, done)
  endAtOnce()
}

const read = (length: number): Buffer => {
  const bytes = Buffer.alloc(length)
  for (let done = 0; done < length; ) {
    const count = readSync(INPUT, bytes, done, length - done, null)
    if (count === 0) endAtOnce()
    done += count
  }
  return bytes
}

/** A regular exit would wait for busy threads. */
const endAtOnce = () => process.kill(process.pid, 'SIGKILL')
