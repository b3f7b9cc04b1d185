import { PRESCRIPTION_NOTE } from '@bi-manager/contract'
import { beforeAll, expect, test } from 'vitest'
import { recordDraft } from '../../../test/clinical/medical-records.ts'
import { readPdf } from '../../../test/clinical/pdf-text.ts'
import type { TestApp } from '../../../test/test-app.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'

let ana: Awaited<ReturnType<TestApp['as']>>
let author: string
const app = useTestApp({}, { resets: false })
beforeAll(async () => {
  const person = await createUser(app, {
    nomeUsuario: 'Ana Médica',
    acessoProntuario: true,
    conselhoProfissional: 'CRM',
    numeroRegistro: '12345',
    ufRegistro: 'PR',
  })
  author = `Ana Médica · usuário ${person.idUsuario} · CRM 12345/PR`
  ana = await app.as(person)
})

const pdfOf = (id: number) =>
  app.app.inject({ url: `/api/prontuarios/${id}/pdf`, headers: { authorization: `Bearer ${ana.token}` } })

test('the PDF contains the whole record, and its name, metadata and headers do not name the patient', async () => {
  const draft = recordDraft({
    nome_beneficiario: 'Conceição Fictícia',
    id_beneficiario: 'BR-77',
    descricao_hd: 'PA ≥ 140/90; 50 µg/dia → reavaliar\nSegunda linha: coração',
    prescricao_beneficiario: `${'Repouso e hidratação. '.repeat(400)}Fim da prescrição.`,
  })
  const made = (await ana.post('/prontuarios', draft)).body
  await ana.put(`/prontuarios/${made.id}`, { ...made, risco_doenca: 'Risco de erro médico' })
  const { statusCode, headers, rawPayload } = await pdfOf(made.id)
  expect(statusCode).toBe(200)
  expect(headers).toMatchObject({
    'content-type': 'application/pdf',
    'content-disposition': `attachment; filename="prontuario-${made.id}.pdf"`,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  })
  const { info, pages } = await readPdf(rawPayload)
  expect(info.Title).toBe(`Prontuário nº ${made.id}`)
  expect(JSON.stringify(info)).not.toMatch(/Concei|BR-77/)
  // Line breaks are not under test.
  const text = pages.join('\n').replace(/\s+/g, ' ')
  for (const part of [
    'Nome do beneficiário Conceição Fictícia',
    'ID do beneficiário BR-77',
    `Data do prontuário ${made.data_prontuario}`,
    'Especialidade Cardiologia',
    'Risco de custo Alto custo de exames',
    'Risco da doença Risco de erro médico',
    'Descrição HD PA ≥ 140/90; 50 µg/dia → reavaliar Segunda linha: coração',
    'Fim da prescrição.',
    PRESCRIPTION_NOTE,
    `Registrado por ${author}`,
    `por ${author.replace(' · CRM 12345/PR', '')}`,
    `Alterado por ${author} em `,
    'Versão 2',
    `Página 1 de ${pages.length}`,
    'Contém dados pessoais sensíveis (LGPD, art. 5º, II)',
  ]) {
    expect(text).toContain(part)
  }
  expect(text.match(/Repouso e hidratação/g)).toHaveLength(400)
})

test('the PDF of an unchanged record names its author', async () => {
  const { id } = (await ana.post('/prontuarios', recordDraft())).body
  const { pages } = await readPdf((await pdfOf(id)).rawPayload)
  expect(pages).toHaveLength(1)
  expect(pages[0]).toContain(`Registrado por ${author}\nVersão 1`)
})

test('the PDF has the name of the company at its head', async () => {
  const { id } = (await ana.post('/prontuarios', recordDraft())).body
  await app.db.updateTable('aparencia').set({ nome: 'Rede Horizonte', cor: '#7a1f5c', versao: 2 }).execute()
  const { pages } = await readPdf((await pdfOf(id)).rawPayload)
  expect(pages[0]).toContain('Rede Horizonte')
  expect(pages[0]).not.toContain('BI Manager')
})
