import { describe, expect, test } from 'vitest'
import { alertSuite } from '../../../test/stand-ins/alert-suite.ts'
import { encryptWebhook } from './webhook.ts'

const { suite, values, hook, evaluate, publish, watch, sendings } = alertSuite()

/* What leaves the portal by e-mail and webhook. */

/** Digits that no id in a link has. */
const VALUE = 739_184

/** An alert of an ADMIN with an e-mail, a webhook and filters, which has crossed. */
const cross = async (report: object) => {
  const { idRelatorio } = await publish(report)
  const webhook = encryptWebhook(suite.app.services.secrets, { endereco: suite.hook, segredo: 'whsec_eA==' })
  const filters = { filtros: '{"paciente":"Ana"}', emPalavras: 'Paciente: Ana' }
  const endereco = `relatorio=${idRelatorio}&pagina=p1&paciente=Ana`
  const fields = { ...filters, endereco, webhook, estado: 'NORMAL' as const }
  await watch({ idRelatorio }, fields, { tipoUsuario: 'ADMIN' })
  for (const value of [1, VALUE]) {
    values.set('todos', value)
    await evaluate()
  }
  return { email: suite.smtp.received[0]?.text ?? '', called: hook.calls[0]?.body ?? '' }
}

describe.each([
  ['sensitive data', { sensivel: true }],
  ['rows that differ for each person', { papeisRls: ['Regional'] }],
])('of a report with %s', (_, report) => {
  test('neither a value nor a filter leaves the portal, not even in the link', async () => {
    const { email, called } = await cross(report)
    for (const sent of [email, called]) {
      expect(sent).toMatch(/relatorio=\d+&pagina=p1/)
      expect(sent).not.toMatch(/paciente|Ana/)
      expect(sent).not.toMatch(/739.?184/)
    }
  })
})

test('a link of another report has the filters', async () => {
  const { email, called } = await cross({})
  for (const sent of [email, called]) expect(sent).toMatch(/relatorio=\d+&pagina=p1&paciente=Ana/)
})

test('a webhook that answers with another protocol fails, and holds up nothing', async () => {
  hook.status = 101
  await cross({})
  expect(await sendings()).toMatchObject([
    { canal: 'EMAIL', estado: 'ENVIADO' },
    { canal: 'WEBHOOK', estado: 'NA_FILA', motivo: 'O webhook respondeu 101.' },
  ])
})
