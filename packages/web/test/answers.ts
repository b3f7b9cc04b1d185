import { vi } from 'vitest'

interface SentCall {
  method: string
  url: string
  headers: Record<string, string>
  body: unknown
}

/**
 * Fakes the server: answers each call by method and path, otherwise with 500, and keeps the
 * calls. `answers` may be changed during a test.
 */
export const answerWith = (answers: Record<string, () => Response>) => {
  const sent: SentCall[] = []
  vi.stubGlobal('fetch', async (url: string, { method = 'GET', headers, body }: RequestInit) => {
    sent.push({
      method,
      url,
      headers: headers as Record<string, string>,
      body: typeof body === 'string' ? JSON.parse(body) : undefined,
    })
    return answers[`${method} ${url.split('?')[0]}`]?.() ?? problem(500, 'Algo deu errado.')
  })
  return { sent, answers, of: (method: string) => sent.filter((one) => one.method === method) }
}

export const listOf = (rows: unknown[], total = rows.length): Response =>
  Response.json(rows, { headers: { 'x-total-count': String(total) } })

export const problem = (status: number, detail: string, campos?: Record<string, string>): Response =>
  Response.json(
    { type: 'about:blank', title: 'x', status, detail, codigo: 'x', idRequisicao: '1', campos },
    { status },
  )
