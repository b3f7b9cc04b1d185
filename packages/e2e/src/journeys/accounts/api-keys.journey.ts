import { apiKeysApi, menusApi } from '@bi-manager/contract'
import { connectMcp } from '@bi-manager/server/test/reports/mcp-client'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { looks, settled, type Visitor, visit } from '../../browser/visitor.ts'
import { closeDialog, dialogOf, press } from '../../pages/back-office.ts'
import { reportsOf, signedInClient } from '../../people/api.ts'
import { createPerson } from '../../people/create-person.ts'
import { people } from '../../people/people.ts'

/* API keys: an ADMIN allows them, a reader makes one, a program uses it, and it is revoked. */

const portal = inject('portal')
const rulesOf = async () => {
  const { call } = await signedInClient(portal, people.admin)
  return { call, rules: await call(apiKeysApi.getSettings) }
}
const setRules = async (body: { pessoas: boolean; mcp: boolean }) => {
  const { call } = await rulesOf()
  await call(apiKeysApi.updateSettings, { body })
}

let reader: Awaited<ReturnType<typeof createPerson>>
beforeAll(async () => {
  reader = await createPerson(portal, 'Lia Campos', 'lia.campos@demo.local')
})
afterAll(async () => {
  await setRules({ pessoas: false, mcp: false })
  await reader.remove()
})

const callWith = async (key: string) => {
  const response = await fetch(`${portal}/api${menusApi.list.url}`, {
    headers: { authorization: `Bearer ${key}` },
  })
  return { status: response.status, body: await response.json() }
}

/** Fills the form in the open dialog, and returns the key that is shown once. */
const createKey = async (
  visitor: Visitor,
  { name, groups }: { name: string; groups: string[] },
  see: (what: string) => Promise<void> = async () => {},
): Promise<string> => {
  const { page } = visitor
  const dialog = dialogOf(page, 'Criar chave')
  await dialog.getByLabel('Nome').fill(name)
  for (const group of groups) await dialog.getByRole('checkbox', { name: group }).check()
  await see('the form of a new key')
  await press(dialog, 'Criar chave')
  const made = dialogOf(page, 'Chave criada!')
  const key = (await made.getByTestId('chave').textContent()) ?? ''
  await see('a new key')
  await made.getByRole('checkbox', { name: 'Copiei a chave' }).check()
  await press(made, 'Concluir')
  await made.waitFor({ state: 'hidden' })
  return key
}

const ruleSwitch = (page: Page, name: string) => page.getByRole('switch', { name })

test('a reader makes a key once an ADMIN allows it, and a program calls the portal with it', async () => {
  const reading = await visit(looks[1])
  await reading.enter(reader, '/meu-perfil')
  await reading.main.getByRole('link', { name: /^Chaves de API/ }).click()
  await reading.main.getByText('As chaves de API não estão liberadas para você').waitFor()
  await settled(reading, 'keys that are switched off')

  const ruling = await visit(looks[0])
  await ruling.enter(people.admin, '/chaves-de-api')
  await ruling.main.getByText(/^Nenhuma chave criada ainda/).waitFor()
  await settled(ruling, 'the rules, and no keys')
  await ruleSwitch(ruling.page, 'Todas as pessoas podem criar chaves').check()
  await press(ruling.page, 'Gravar')
  await ruling.main.getByText('Regras gravadas!').waitFor()

  await reading.page.reload()
  await reading.main.getByText(/^Você ainda não tem chaves/).waitFor()
  await settled(reading, 'no own keys')
  await press(reading.main.page(), 'Criar chave')
  const key = await createKey(
    reading,
    { name: 'Planilha do financeiro', groups: ['Ver meus relatórios'] },
    (what) => settled(reading, what),
  )
  expect(key).toMatch(/^bim_[0-9A-Za-z]{46}$/)
  await reading.main.getByText(`${key.slice(0, 10)}…`).waitFor()
  expect(await callWith(key)).toEqual({ status: 200, body: [] })
  await reading.page.reload()
  await reading.main.getByText(/Usada agora|Usada há/).waitFor()
  expect(await reading.page.content()).not.toContain(key)
  await settled(reading, 'a used key')

  // The ADMIN sees the key and revokes it; the next call of the program is refused.
  await ruling.page.reload()
  await ruling.main.getByText('Lia Campos').filter({ visible: true }).first().waitFor()
  await settled(ruling, 'the keys of all')
  await ruling.main.getByRole('button', { name: 'Revogar Planilha do financeiro' }).first().click()
  const question = dialogOf(ruling.page, 'Revogar esta chave?')
  await settled(ruling, 'the question before a revocation')
  await press(question, 'Sim, revogar')
  await closeDialog(dialogOf(ruling.page, 'Chave revogada!'))
  expect(await callWith(key)).toMatchObject({ status: 401, body: { codigo: 'chave_invalida' } })

  await reading.goto('/notificacoes')
  await reading.main.getByText('Chave de API revogada').first().waitFor()
  await reading.close()
  await ruling.close()
})

test('an assistant reads a report through MCP with the key of a reader, and the audit shows it', async () => {
  const { call } = await signedInClient(portal, people.ana)
  const reports = reportsOf(await call(menusApi.list))
  await setRules({ pessoas: true, mcp: true })
  const visitor = await visit(looks[0])
  await visitor.enter(people.ana, '/chaves')
  await press(visitor.page, 'Criar chave')
  const key = await createKey(visitor, { name: 'Assistente', groups: ['Ler dados dos relatórios'] })

  const { client, callTool } = await connectMcp(portal, key, { mode: 'auto' })
  const { data: listed } = await callTool('listar_relatorios')
  const ids = listed.relatorios.map(({ relatorio }: { relatorio: number }) => relatorio)
  expect(ids.toSorted()).toEqual(reports.map(({ idRelatorio }) => idRelatorio).toSorted())
  const [relatorio] = ids
  const { data: outline } = await callTool('ler_dados_do_relatorio', { relatorio })
  const pagina = outline.paginas[0].nome
  const { data } = await callTool('ler_dados_do_relatorio', { relatorio, pagina, linhas: 5 })
  expect(data.visuais.some(({ linhas }: { linhas: unknown[] }) => linhas.length > 0)).toBe(true)
  await client.close()

  await press(visitor.main.page(), 'Revogar Assistente')
  await press(dialogOf(visitor.page, 'Revogar esta chave?'), 'Sim, revogar')
  await closeDialog(dialogOf(visitor.page, 'Chave revogada!'))
  await visitor.close()

  const auditing = await visit(looks[0])
  await auditing.enter(people.admin, '/auditoria?acao=mcp.data-read')
  await auditing.main
    .getByText('Um programa leu dados de um relatório (MCP)')
    .filter({ visible: true })
    .first()
    .waitFor()
  await auditing.close()
})
