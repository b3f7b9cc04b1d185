import { afterEach, describe, expect, test } from 'vitest'
import { startSmtp } from '../../../test/stand-ins/smtp.ts'
import { failureOf, failureSentence, isOfWholeServer } from './mail-failure.ts'

let closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing) await close()
  closing = []
})

const smtp = async (...options: Parameters<typeof startSmtp>) => {
  const server = await startSmtp(...options)
  closing.push(server.close)
  return server
}

test('a limit of the sender is no fault of MAIL_FROM', () => {
  const refusal = { code: 'EENVELOPE', command: 'MAIL FROM', responseCode: 550 }
  const limit = failureOf({ ...refusal, response: '550 5.4.5 Daily user sending limit exceeded' })
  expect(failureSentence(limit)).toMatch(/não aceitou a mensagem agora \(550\), por um limite de envio/)
  const wrong = failureOf({ ...refusal, response: '550 5.1.8 Bad sender' })
  expect(failureSentence(wrong)).toMatch(/recusou o remetente \(550\)/)
})

test('a large message that reaches the time limit is no outage of the mail server', async () => {
  const aborted = failureOf(Object.assign(new Error('aborted'), { code: 'EABORT' }))
  expect(isOfWholeServer(aborted)).toBe(false)
  expect(failureSentence(aborted)).toContain('não respondeu')
})

describe('a failure is described', () => {
  const failureAt = async (url: string, limitMs = 20_000) => {
    const { createTransport } = await import('nodemailer')
    const { smtpOptions } = await import('./mail-delivery.ts')
    const message = { from: 'a@x.br', to: 'b@x.br', text: 'x', signal: AbortSignal.timeout(limitMs) }
    const error: unknown = await createTransport({ ...smtpOptions(url), requireTLS: true })
      .sendMail(message)
      .catch((failure: unknown) => failure)
    return failureSentence(failureOf(error))
  }

  test("a failure is described as 'não respondeu' when the portal's own time limit ends it", async () => {
    const server = await smtp({ onConnect: () => {} })
    expect(await failureAt(server.url, 500)).toMatch(/^O servidor de e-mail não respondeu/)
  })

  test('a failure is described by a sentence of its own when the server has no STARTTLS', async () => {
    const server = await smtp()
    expect(await failureAt(server.url)).toMatch(/^O servidor de e-mail não oferece STARTTLS/)
  })
})
