import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { PageData, VisualData } from '../wire/embed-contract.ts'

/** What a file contains: an extension of this service, so that empty files need not be sent. */
export const ContentFacts = z.object({
  /** Visuals whose data could not be read. */
  failedVisuals: z.int(),
  /** Rows of all visuals, without those that have only zeros and nulls, as a card without data. */
  rows: z.int(),
  /** Digest of the data of all visuals. */
  digest: z.string(),
})
export type ContentFacts = z.infer<typeof ContentFacts>

interface Asked {
  page: string
  visuals?: string[] | undefined
}

/** Notes the answers that the pages of one export are drawn from; of a repeated one, the last. */
export const createContentNotes = () => {
  /** `page/visual` → what is known of its data; undefined: they could not be read. */
  const visuals = new Map<string, { rows: number; digest: string } | undefined>()
  const failedPages = new Set<string>()
  const keyOf = ({ page }: Asked, visual: string) => JSON.stringify([page, visual])

  return {
    note(asked: Asked, data: PageData | undefined): void {
      if (data) failedPages.delete(asked.page)
      else if (asked.visuals) for (const visual of asked.visuals) visuals.set(keyOf(asked, visual), undefined)
      else failedPages.add(asked.page)
      for (const [visual, answer] of Object.entries(data?.visuals ?? {})) {
        const notNumbers = new Set(answer.notNumbers?.map(([row]) => row))
        const rows = answer.rows.filter((row, at) => hasValue(row) || notNumbers.has(at)).length
        visuals.set(keyOf(asked, visual), { rows, digest: digestOf(answer) })
      }
      for (const visual of Object.keys(data?.failures ?? {})) visuals.set(keyOf(asked, visual), undefined)
    },
    facts(): ContentFacts {
      const all = [...visuals].toSorted(([one], [other]) => (one < other ? -1 : 1))
      const read = all.flatMap(([key, data]) => (data ? [{ key, ...data }] : []))
      return {
        failedVisuals: all.length - read.length + failedPages.size,
        rows: read.reduce((total, { rows }) => total + rows, 0),
        digest: digestOf(read),
      }
    },
  }
}
export type ContentNotes = ReturnType<typeof createContentNotes>

const digestOf = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('base64url')

const hasValue = (row: VisualData['rows'][number]) => row.some((cell) => cell !== null && cell !== 0)
