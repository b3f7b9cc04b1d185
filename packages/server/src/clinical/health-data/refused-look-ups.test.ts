import { purposes } from '@bi-manager/contract'
import { beforeEach, describe, expect, test } from 'vitest'
import { accessesAfter, clinicalCounts, lastAccess, lastAudit } from '../../../test/clinical/access-log.ts'
import { createBeneficiary } from '../../../test/clinical/beneficiaries.ts'
import { recordDraft } from '../../../test/clinical/medical-records.ts'
import { formOf } from '../../../test/multipart.ts'
import type { TestApp } from '../../../test/test-app.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'
import { purposeInWords } from './purpose.ts'

let caller: Awaited<ReturnType<TestApp['as']>>
let beneficiary: Awaited<ReturnType<typeof createBeneficiary>>
const app = useTestApp({ RATE_LIMIT_PER_MINUTE: '1000000' })
beforeEach(async () => {
  caller = await app.as(await createUser(app, { acessoProntuario: true }))
  beneficiary = await createBeneficiary(app)
})

const why = `${purposes.outro}: pedido da ouvidoria de Maria`
const purpose = { 'x-finalidade': encodeURIComponent(why) }
const attachmentFields = { titulo_anexo: 'Exame', descricao_anexo: 'Sangue', tipo_anexo: 'IMG' }

describe('a refusal that reveals whether a person is registered is logged as a look-up', () => {
  const lookedUp = async (before: { access: number; audit: number }) => ({
    rows: (await accessesAfter(app, before.access)).map((row) => [
      row.acao,
      row.objeto,
      row.idObjeto,
      row.beneficiario,
      purposeInWords(row, app.services.secrets),
    ]),
    lines: await app.db
      .selectFrom('auditoria')
      .select(['acao', 'objeto', 'detalhes'])
      .where('idAuditoria', '>', before.audit)
      .orderBy('idAuditoria')
      .execute(),
  })
  const start = async () => ({ access: await lastAccess(app), audit: await lastAudit(app) })
  const rowOf = (id: number) => ['buscado', 'beneficiario', id, id, why]
  const lineOf = (encontrados: number) => ({
    acao: 'beneficiary.read',
    objeto: 'beneficiarios',
    detalhes: { busca: true, encontrados, finalidade: 'outro' },
  })

  test("a refusal that reveals whether a person is registered is logged as a look-up for a record with another person's plan id", async () => {
    const { id, id_beneficiario } = beneficiary
    const [countsBefore, before] = [await clinicalCounts(app), await start()]
    const draft = recordDraft({ id_beneficiario, nome_beneficiario: 'Quem Pergunta' })
    const { status, body } = await caller.post('/prontuarios', draft, purpose)
    expect([status, Object.keys(body.campos)]).toEqual([422, ['nome_beneficiario']])
    const { rows, lines } = await lookedUp(before)
    expect(rows).toEqual([rowOf(id)])
    expect(lines).toMatchObject([lineOf(1)])
    expect(JSON.stringify(lines)).not.toContain(id_beneficiario)
    expect(await clinicalCounts(app)).toEqual(countsBefore)
  })

  test('a refusal that reveals whether a person is registered is logged as a look-up for an attachment with an unknown plan id, as an audit line only', async () => {
    const before = await start()
    const form = formOf({ ...attachmentFields, id_beneficiario: 'de-ninguem' })
    expect((await caller.upload('/anexos', form, purpose)).status).toBe(422)
    const { rows, lines } = await lookedUp(before)
    expect(rows).toEqual([])
    expect(lines).toMatchObject([lineOf(0)])
    expect(JSON.stringify(lines)).not.toContain('de-ninguem')
  })

  test('a refusal that reveals whether a person is registered is logged as a look-up for a refused file with a known plan id, but not without a plan id', async () => {
    const { id, id_beneficiario } = beneficiary
    const noImage = { bytes: Buffer.from('não é imagem'), name: 'exame.png', type: 'image/png' }
    const [countsBefore, before] = [await clinicalCounts(app), await start()]
    const form = formOf({ ...attachmentFields, id_beneficiario }, noImage)
    const { status, body } = await caller.upload('/anexos', form, purpose)
    expect(status).toBeGreaterThanOrEqual(400)
    expect(body.codigo).toBe('arquivo_recusado')
    const { rows, lines } = await lookedUp(before)
    expect(rows).toEqual([rowOf(id)])
    expect(lines).toMatchObject([lineOf(1)])
    expect(await clinicalCounts(app)).toEqual(countsBefore)

    const again = await start()
    expect((await caller.upload('/anexos', formOf(attachmentFields, noImage), purpose)).status).toBe(status)
    expect(await lookedUp(again)).toEqual({ rows: [], lines: [] })
  })
})
