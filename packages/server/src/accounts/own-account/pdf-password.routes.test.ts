import { PDFDocument } from '@cantoo/pdf-lib'
import { describe, expect, test } from 'vitest'
import { subscriptionSuite } from '../../../test/stand-ins/subscription-suite.ts'
import type { createUser } from '../../../test/users.ts'

const { suite, start, workAndSend, mails, again } = subscriptionSuite()

const url = '/conta/senha-pdf'
const senha = 'Uma senha de PDF 7'
const aPdf = async () => {
  const document = await PDFDocument.create()
  document.addPage([200, 100]).drawText('Custos')
  return Buffer.from(await document.save())
}
const sent = (at: number) => Buffer.from(suite.smtp.received[at]?.attachments[0]?.content as ArrayBuffer)
const signIn = (person: Awaited<ReturnType<typeof createUser>> | undefined) =>
  suite.app.as(person ?? expect.fail())

describe('the password of PDFs', () => {
  test('the password of PDFs is set and removed with a recent proof, audited, and never answered', async () => {
    const { recipients } = await start()
    const reader = await signIn(recipients[0])
    expect((await reader.get(url)).body).toEqual({ definida: false })
    expect((await reader.put(url, { senha })).body).toEqual({ definida: true })
    expect((await reader.get(url)).body).toEqual({ definida: true })
    for (const refused of ['curta', 'senha com ã', 'x'.repeat(101)])
      expect((await reader.put(url, { senha: refused })).status).toBe(422)
    const [row] = await suite.app.db.selectFrom('senhaPdf').selectAll().execute()
    expect(row?.senha).not.toContain(senha)
    suite.app.clock.offsetMs += 11 * 60_000
    expect((await reader.put(url, { senha })).body.codigo).toBe('reautenticacao_necessaria')
    expect((await reader.del(url)).status).toBe(403)
    const again = await signIn(recipients[0])
    expect((await again.del(url)).status).toBe(204)
    expect((await again.get(url)).body).toEqual({ definida: false })
    const lines = await suite.app.db
      .selectFrom('auditoria')
      .select(['acao', 'detalhes'])
      .where('acao', 'like', 'pdf-password.%')
      .orderBy('idAuditoria')
      .execute()
    expect(lines).toEqual([
      { acao: 'pdf-password.changed', detalhes: {} },
      { acao: 'pdf-password.removed', detalhes: {} },
    ])
  })

  test('the password of PDFs encrypts the PDFs of that person only', async () => {
    const pdf = await aPdf()
    const { recipients } = await start({ people: 2 })
    suite.provider.answer('exportFile', () => ({ body: pdf }))
    await (await signIn(recipients[0])).put(url, { senha })
    await workAndSend()
    const at = suite.smtp.received.findIndex(({ to }) => to?.[0]?.address === recipients[0]?.emailUsuario)
    expect(sent(at).includes('/AESV3')).toBe(true)
    expect(suite.smtp.received[at]?.text).toContain('abre com a senha que você definiu')
    expect(sent(1 - at).equals(pdf)).toBe(true)
  })

  test('the password of PDFs sends a link instead of a picture, and nothing when its key is lost', async () => {
    const { recipients } = await start({ subscription: { formato: 'PNG', pagina: 'p1' } })
    await (await signIn(recipients[0])).put(url, { senha })
    await workAndSend()
    expect(suite.smtp.received).toMatchObject([{ attachments: [] }])
    await suite.app.db.updateTable('assinatura').set({ formato: 'PDF', pagina: null }).execute()
    await suite.app.db
      .updateTable('senhaPdf')
      .set({ senha: '' as never })
      .execute()
    await again()
    await workAndSend()
    expect(suite.smtp.received).toHaveLength(1)
    expect((await mails()).at(-1)).toMatchObject({
      estado: 'PULADA',
      motivo: expect.stringMatching(/não abre mais/),
    })
  })
})
