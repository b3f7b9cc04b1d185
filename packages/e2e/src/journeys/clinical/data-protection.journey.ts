import {
  BeneficiaryExport,
  beneficiariesApi,
  dataProtectionApi,
  medicalRecordsApi,
  sessionsApi,
} from '@bi-manager/contract'
import { describe, expect, inject, test } from 'vitest'
import { looks, settled, visit } from '../../browser/visitor.ts'
import { dialogOf, download, press } from '../../pages/back-office.ts'
import { givePurpose } from '../../pages/clinical-panel.ts'
import { signedInClient } from '../../people/api.ts'
import { createOfficer } from '../../people/officer.ts'
import { people } from '../../people/people.ts'

const portal = inject('portal')
/** Distinguishes this run's beneficiaries and incidents. */
const mark = crypto.randomUUID().slice(0, 8)

/** Creates an officer and a beneficiary with a record. */
const prepare = async () => {
  const officer = await createOfficer(portal, 'Rita Prado', `rita.${mark}@exemplo.com.br`)
  const { call } = await signedInClient(portal, officer)
  const person = await call(beneficiariesApi.create, {
    body: { nome_beneficiario: `Joana Fictícia ${mark}`, id_beneficiario: mark },
  })
  await call(medicalRecordsApi.create, {
    body: {
      nome_beneficiario: person.nome_beneficiario,
      id_beneficiario: person.id_beneficiario,
      especialidade: 'Cardiologia',
      risco_custo: 'Alto custo de exames',
      risco_doenca: 'Risco de reação alérgica',
      descricao_hd: 'Hipótese de hipertensão.',
      prescricao_beneficiario: 'Retorno em 30 dias.',
    },
  })
  await call(sessionsApi.signOut)
  return { officer, person }
}

describe('the data protection officer', () => {
  test("the data protection officer exports a beneficiary's data, sees who read it, and keeps the register of incidents", async () => {
    const { officer, person } = await prepare()
    const visitor = await visit()
    const { page, main } = visitor
    await visitor.enter(officer, '/saidibi')
    await page.getByRole('link', { name: 'Proteção de dados' }).click()
    await main.getByRole('heading', { name: 'Proteção de dados', exact: true }).waitFor()
    // No purpose is preselected; each explains what it means for an officer.
    expect(await main.getByRole('radio', { checked: true }).count()).toBe(0)
    await main.getByRole('radio', { name: 'Outro' }).check()
    await press(main, 'Apuração de incidente')
    expect(await main.getByRole('textbox', { name: 'Qual finalidade?' }).inputValue()).toBe(
      'Apuração de incidente',
    )
    await settled(visitor, "officer's purpose")
    await givePurpose(page, 'Regulação')

    const search = main.getByRole('searchbox', { name: 'Pesquisar beneficiário' })
    await search.fill('Fulano que não há')
    await press(main, 'Pesquisar')
    await main.getByText('A pesquisa não retornou resultados!').waitFor()
    await settled(visitor, "officer's search")
    await search.fill(person.nome_beneficiario.toUpperCase())
    await press(main, 'Pesquisar')
    await press(main, new RegExp(`^Abrir ${person.nome_beneficiario}`))
    await main.getByRole('heading', { name: person.nome_beneficiario }).waitFor()
    // Address and title contain our number of the beneficiary, not the name.
    expect(page.url()).toContain(`beneficiario=${person.id}`)
    expect(decodeURIComponent(page.url()) + (await page.title())).not.toContain(mark)
    await main.getByText('Registrou', { exact: true }).filter({ visible: true }).first().waitFor()
    await settled(visitor, 'beneficiary')

    const json = await download(main, 'Exportar JSON')
    expect(json.name).toBe(`beneficiario-${person.id}.json`)
    const held = BeneficiaryExport.parse(JSON.parse(json.bytes.toString()))
    expect([held.beneficiario.nome_beneficiario, held.prontuarios[0]?.descricao_hd]).toEqual([
      person.nome_beneficiario,
      'Hipótese de hipertensão.',
    ])
    await main.getByText('Exportou', { exact: true }).filter({ visible: true }).first().waitFor()
    const pdf = await download(main, 'Exportar PDF')
    expect(pdf.name).toBe(`beneficiario-${person.id}.pdf`)
    expect(await textOfPdf(pdf.bytes)).toContain('Hipótese de hipertensão.')
    const csv = await download(main, 'Exportar CSV')
    expect(csv.bytes.toString()).toMatch(/;Rita Prado;\d+;Exportou;Prontuário;\d+;Regulação\r\n/)

    await main.getByRole('tab', { name: 'Retenção' }).click()
    await main.getByRole('region', { name: 'Lista de retenção' }).waitFor()
    await main
      .getByText(/^\d\d\/\d\d\/20[4-9]\d$/)
      .filter({ visible: true })
      .first()
      .waitFor()
    await settled(visitor, 'retention')

    await main.getByRole('tab', { name: 'Incidentes' }).click()
    await main.getByRole('link', { name: 'Registrar incidente' }).click()
    const title = `E-mail ao destinatário errado ${mark}`
    await main.getByLabel('Título').fill(title)
    await press(main, 'Quando a empresa soube: agora')
    await main.getByText(/^Comunicar à ANPD e às pessoas afetadas até \d\d\/\d\d\/\d{4} 23:59/).waitFor()
    await press(main, 'Gravar')
    await main.getByText('É necessário preencher todos os campos!').waitFor()
    await settled(visitor, 'incident form')
    await main.getByRole('link', { name: 'Cancelar' }).click()
    await press(dialogOf(page, 'Sair sem gravar?'), 'Continuar editando')
    await main.getByLabel('O que aconteceu').fill('Um relatório foi a um endereço parecido.')
    await main.getByLabel('Dados afetados').fill('Nome e plano.')
    const affected = main.getByLabel('Pessoas afetadas', { exact: true })
    await affected.pressSequentially('1x2.5-00')
    expect(await affected.inputValue()).toBe('12.500')
    await press(main, 'Gravar')
    const done = dialogOf(page, 'Incidente registrado!')
    await press(done, 'Fechar')

    const incident = main.getByRole('listitem').filter({ hasText: title })
    await incident
      .getByText(/^Falta/)
      .first()
      .waitFor()
    await settled(visitor, 'incidents')
    for (const [button, confirm] of [
      ['ANPD comunicada', 'Marcar como comunicada'],
      ['Pessoas comunicadas', 'Marcar como comunicadas'],
      ['Encerrar', 'Encerrar'],
    ] as const) {
      await incident.getByRole('button', { name: button }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('button', { name: confirm, exact: true }).waitFor()
      if (button === 'ANPD comunicada') await settled(visitor, 'mark')
      await dialog.getByRole('button', { name: confirm, exact: true }).click()
      await dialog.waitFor({ state: 'hidden' })
    }
    await main
      .getByRole('list', { name: 'Incidentes encerrados' })
      .getByRole('listitem')
      .filter({ hasText: title })
      .getByText('Comunicado no prazo')
      .waitFor()
    await visitor.close()
    await officer.remove()
  })

  test.each(looks)('other users have neither entry nor page on the $size', async (look) => {
    const visitor = await visit(look)
    const { page } = visitor
    await visitor.enter(people.admin, '/saidibi')
    if (look.size === 'phone') await press(page, 'Abrir menu')
    await page.getByRole('link', { name: 'Aviso de privacidade' }).first().waitFor()
    expect(await page.getByRole('link', { name: 'Proteção de dados' }).count()).toBe(0)
    await visitor.goto('/protecao-de-dados')
    await page.getByRole('heading', { name: 'Sem permissão' }).waitFor()
    if (look.size === 'phone') await settled(visitor, 'not the officer')
    const { call } = await signedInClient(portal, people.admin)
    await expect(call(dataProtectionApi.retention, { query: {} })).rejects.toMatchObject({ status: 403 })
    await visitor.close()
  })
})

const textOfPdf = async (bytes: Buffer): Promise<string> => {
  const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs')
  const loading = getDocument({ data: new Uint8Array(bytes) })
  const pdf = await loading.promise
  const { items } = await (await pdf.getPage(1)).getTextContent()
  await loading.destroy()
  return items.map((item) => ('str' in item ? item.str : '')).join(' ')
}
