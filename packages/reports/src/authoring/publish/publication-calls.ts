import type { preSerializationAsyncHookHandler } from 'fastify'
import { z } from 'zod'
import { isRecord } from '../../definitions/is-record.ts'
import { PowerBiError } from '../../http/power-bi-error.ts'
import { PublicationBusyError } from './publication.ts'

/** The name of the person who publishes through the portal. */
export const AUTHOR = z.string().trim().max(200).default('')

/** @throws PowerBiError 409 while another publication runs */
export const unlessBusy = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof PublicationBusyError)) throw error
    throw new PowerBiError(409, 'PublicationBusy', 'Another publication is under way')
  }
}

/** Sentences of an answer, and the letters of each: a folder can have faults of many megabytes. */
const MAX_SENTENCES = 100
const MAX_BEGINNING = 600
const MAX_END = 200

/** Keeps the beginnings of faults and remarks that are too many or too long to be read. */
export const readableSentences: preSerializationAsyncHookHandler = async (_request, _reply, answer) => {
  if (!isRecord(answer)) return answer
  const lists = Object.entries(answer).filter(([name]) => name === 'faults' || name === 'remarks')
  return {
    ...answer,
    ...Object.fromEntries(lists.map(([name, list]) => [name, readable(list, name === 'faults')])),
  }
}

const readable = (list: unknown, areFaults: boolean): unknown => {
  if (!Array.isArray(list)) return list
  const shown = list.slice(0, MAX_SENTENCES).map((one) => shortened(String(one)))
  const more = (list.length - shown.length).toLocaleString('pt-BR')
  // Remarks stop nothing.
  const rest = areFaults ? `E mais ${more}: corrija estes e confira de novo.` : `E mais ${more} avisos.`
  return list.length > shown.length ? [...shown, rest] : shown
}

/** The end has the place in the file. */
const shortened = (sentence: string): string =>
  sentence.length > MAX_BEGINNING + MAX_END
    ? `${sentence.slice(0, MAX_BEGINNING)}…${sentence.slice(-MAX_END)}`
    : sentence
