import { Readable } from 'node:stream'
import { stringify } from 'csv-stringify'
import type { FastifyReply } from 'fastify'

/**
 * A table as Brazilian spreadsheets open it: semicolons, byte order mark, CRLF. A cell that a spreadsheet would run as a
 * formula is written as text (OWASP: CSV injection).
 * @param columns field → heading
 */
export const csvStream = (rows: object[], columns: Record<string, string>): Readable =>
  Readable.from(rows).pipe(
    stringify({
      header: true,
      columns: Object.entries(columns).map(([key, header]) => ({ key, header })),
      delimiter: ';',
      record_delimiter: 'windows',
      bom: true,
      escape_formulas: true,
      cast: {
        boolean: (value) => (value ? 'sim' : 'não'),
        date: (value) => dateAndTime.format(value).replace(', ', ' '),
      },
    }),
  )

/** Makes the browser save the answer under this name instead of showing it. */
export const asDownload = (reply: FastifyReply, filename: string): void => {
  reply.header('content-disposition', `attachment; filename="${filename}"`)
}

const dateAndTime = new Intl.DateTimeFormat('pt-BR', {
  dateStyle: 'short',
  timeStyle: 'medium',
  timeZone: 'America/Sao_Paulo',
})
