import {
  type ChosenNotation,
  type ChosenPlace,
  type DataReading,
  type DataType,
  publishingApi,
} from '@bi-manager/contract'
import { call } from '../../lib/api/api.ts'
import type { ChosenFile } from '../../ui/file-drop/dropped-files.ts'
import { hasChoice } from '../columns/place-fields.tsx'
import { type Chosen, chosenOf } from './chosen-files.ts'
import { assertSendable } from './data-file.ts'
import { discardDrafts } from './discard-drafts.ts'

/** A file that the service keeps, as it was read last. */
export interface Draft {
  id: string
  file: File
  types: Record<string, DataType>
  /** The chosen sheet and heading; empty as long as the service finds them. */
  place: ChosenPlace
  /** The chosen decimal mark and rows; empty as long as the values decide. */
  notation: ChosenNotation
  reading: DataReading
  /** The reading from a place that was chosen last, which has errors. */
  refused?: DataReading
}

/**
 * `replaced`: names of the person's older files and folders, which made room for these.
 * `leftOut`: paths of chosen files that were not sent.
 */
export type Sent = { replaced: string[]; leftOut: string[] } & (
  | { kind: 'data'; drafts: Draft[]; faults: string[] }
  | { kind: 'folder'; id: string; name: string; files: ChosenFile[] }
)

/** Sends what was chosen, and reads data files. @throws UnusableFile */
export const sendFiles = async (given: ChosenFile[]): Promise<Sent> => {
  const chosen = await chosenOf(given)
  return chosen.kind === 'data' ? sendData(chosen) : sendFolder(chosen)
}

const sendData = async ({ files, leftOut }: Chosen & { kind: 'data' }): Promise<Sent> => {
  const ids: string[] = []
  const drafts: Draft[] = []
  const replaced: string[] = []
  return discardedUnlessSent(ids, async () => {
    for (const file of files) {
      assertSendable(file)
      const sent = await call(publishingApi.send, { body: { nome: file.name }, file })
      const { rascunho } = sent
      ids.push(rascunho)
      replaced.push(...sent.apagados)
      const draft = await readAgain({ id: rascunho, file }, {})
      drafts.push(draft)
      const faults = draft.reading.erros
      // Another sheet or heading may be right.
      if (faults.length > 0 && !hasChoice(draft.reading.lugar)) {
        discardDrafts(ids)
        return { kind: 'data', drafts: [], faults, replaced, leftOut }
      }
    }
    return { kind: 'data', drafts, faults: [], replaced, leftOut }
  })
}

/** Without this, drafts that no page shows would count for a day. */
const discardedUnlessSent = async (ids: string[], send: () => Promise<Sent>): Promise<Sent> => {
  try {
    return await send()
  } catch (error) {
    discardDrafts(ids)
    throw error
  }
}

export type ReadAs = Pick<Draft, 'types' | 'place' | 'notation'>

/** Reads a sent file with what was chosen about it. */
export const readAgain = async (
  { id, file }: Pick<Draft, 'id' | 'file'>,
  { types = {}, place = {}, notation = {} }: Partial<ReadAs>,
): Promise<Draft> => {
  const body = { nomeRelatorio: titleOf(file.name), tipos: types, ...place, ...notation }
  const reading = await call(publishingApi.read, { params: { rascunho: id }, body })
  return { id, file, types, place, notation, reading }
}

const sendFolder = async ({ name, files, leftOut }: Chosen & { kind: 'folder' }): Promise<Sent> => {
  const { rascunho, apagados } = await call(publishingApi.sendFolder, { body: { nome: name } })
  return discardedUnlessSent([rascunho], async () => {
    for (const { path, file } of files)
      await call(publishingApi.sendFolderFile, { params: { rascunho }, body: { caminho: path }, file })
    return { kind: 'folder', id: rascunho, name, files, replaced: apagados, leftOut }
  })
}

/** 'atendimentos_2026.csv' → 'Atendimentos 2026' */
const titleOf = (name: string): string => {
  const words = name
    .replace(/\.[^.]*$/, '')
    .replace(/[_-]+/g, ' ')
    .trim()
  return `${words.charAt(0).toLocaleUpperCase('pt-BR')}${words.slice(1)}`.slice(0, 160) || 'Relatório'
}
