import { Readable } from 'node:stream'
import { type AccessEntry, BeneficiaryExport } from '@bi-manager/contract'
import type { z } from 'zod'
import type { WholeList } from '../../platform/db/queries/list-page.ts'
import type { HeldAttachment, HeldData, HeldRecord } from './held-data.repository.ts'
import { collectUnreadable } from './unreadable-parts.ts'

/** What an export contains, who asked for it, and when. */
export interface ExportParts {
  by: string
  at: Date
  held: HeldData
  records: AsyncIterable<HeldRecord>
  attachments: AsyncIterable<HeldAttachment>
  accesses: WholeList<AccessEntry>
}

/** Streams a `BeneficiaryExport` as text, with one record or file in memory at a time. */
export const exportJson = (parts: ExportParts): Readable =>
  Readable.from(textOf(parts), { objectMode: false })

const { prontuarios, anexos, acessos } = BeneficiaryExport.shape
const Head = BeneficiaryExport.omit({ prontuarios: true, anexos: true, acessos: true, ilegiveis: true })

async function* textOf({
  by,
  at,
  held,
  records,
  attachments,
  accesses,
}: ExportParts): AsyncGenerator<string> {
  const { beneficiario } = held
  const head = Head.parse({ geradoEm: at.toISOString(), geradoPor: by, beneficiario })
  yield JSON.stringify(head).slice(0, -1)
  const unreadable = collectUnreadable(held)
  yield* listOf('prontuarios', unreadable.records(records), prontuarios.element)
  yield* listOf('anexos', unreadable.attachments(attachments), anexos.element)
  yield* listOf('acessos', accesses.rows, acessos.element)
  yield `,"ilegiveis":${JSON.stringify(unreadable.parts)}}`
}

/**
 * Characters per chunk. Small rows are joined: sending 100,000 chunks would take longer than
 * reading the rows.
 */
const CHUNK = 64 * 1024

async function* listOf(name: string, rows: AsyncIterable<unknown>, Row: z.ZodType): AsyncGenerator<string> {
  let text = `,"${name}":[`
  let separator = ''
  for await (const row of rows) {
    text += separator + JSON.stringify(Row.parse(row))
    separator = ','
    if (text.length < CHUNK) continue
    yield text
    text = ''
  }
  yield `${text}]`
}
