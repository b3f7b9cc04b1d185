import { describe, expect, test } from 'vitest'
import { subscriptionSuite } from '../../../../test/stand-ins/subscription-suite.ts'

const { suite, start, workAndSend, work, senderOf, mails, change } = subscriptionSuite()

/*
 * The kind of fault: a rule about what may leave the portal is written for one kind of e-mail (alerts)
 * and not for the others. Both ask `mayLeave`; no link of a subscription carries filters at all.
 */

const declared = (coluna: string) => ({
  tabela: 'Vidas',
  coluna,
  rotulo: 'Paciente',
  padrao: null,
  valores: [{ valor: 'Maria das Dores', rotulo: '' }],
})
const filtrosPainel = JSON.stringify([declared('paciente')])
const chosen = {
  filtros: '{"Vidas/paciente":"Maria das Dores"}',
  marcador: 'bWFyY2Fkb3I',
  pagina: 'p1',
  tituloPagina: 'Resumo',
}
const secrets = /paciente|Maria|Dores|bWFyY2Fkb3I|sele[cç][oõ]es/i

/** Everything of the first e-mail that leaves the portal. */
const sent = () => {
  const [email] = suite.smtp.received
  const names = email?.attachments.map(({ filename }) => filename)
  return JSON.stringify([email?.subject, email?.text, email?.html, email?.headers, names])
}

describe.each([
  ['sensitive data', { sensivel: true }],
  ['roles', { papeisRls: ['Regional'] }],
  ['an identity', { enviaIdentidade: true }],
])('of a report with %s', (_, fields) => {
  test.each(['LINK', 'ANEXO'] as const)(
    'an e-mail with delivery %s says neither filters nor selections',
    async (entrega) => {
      const { report, idAssinatura } = await start({
        report: { ...fields, filtrosPainel },
        subscription: { ...chosen, entrega },
      })
      await workAndSend()
      expect(sent()).not.toMatch(secrets)
      expect(sent()).toContain(`?relatorio=${report.idRelatorio}&pagina=p1&assinatura=${idAssinatura}`)
      expect(suite.smtp.received[0]?.text).toContain('Página: Resumo')
    },
  )

  test('an e-mail has them once an ADMIN allows data of such reports, but its link has not', async () => {
    await start({
      report: { ...fields, filtrosPainel },
      subscription: chosen,
      rules: { anexosRestritos: true },
    })
    await workAndSend()
    const { text = '', html } = suite.smtp.received[0] ?? {}
    expect(text).toContain('Filtros: Paciente: Maria das Dores; seleções gravadas')
    const links = `${text}${html}`.match(/https:\/\/bi\.exemplo\.com\.br\/relatorio-embed\/[^\s"]+/g) ?? []
    expect(links.length).toBeGreaterThan(0)
    for (const link of links) expect(link).not.toMatch(secrets)
  })
})

test('of a sensitive paginated report, the values of parameters stay in the portal', async () => {
  const paginated = { tipoRelatorio: 'PAGINADO', parametros: ['Beneficiario=x'], painelParametros: true }
  await start({
    report: { ...paginated, sensivel: true },
    subscription: { parametros: ['Beneficiario=Maria das Dores'], entrega: 'LINK' },
  })
  await workAndSend()
  expect(suite.smtp.received).toHaveLength(1)
  expect(sent()).not.toMatch(secrets)
})

test('an e-mail whose report is marked as sensitive while it waits in the queue has no filters', async () => {
  const { report } = await start({ report: { filtrosPainel }, subscription: { ...chosen, entrega: 'LINK' } })
  const isQueued = async () => (await mails()).some(({ estado }) => estado === 'NA_FILA')
  for (let look = 0; look < 10 && !(await isQueued()); look += 1) await work()
  expect(await isQueued()).toBe(true)
  await change('relatorio', { sensivel: true }, report.idRelatorio)
  await senderOf().sendDue()
  expect(suite.smtp.received).toHaveLength(1)
  expect(sent()).not.toMatch(secrets)
})
