import { apiKeysApi, type KeyGroup } from '@bi-manager/contract'
import type { Browser } from 'playwright-core'
import { openBrowserProfile } from '../browser/visitor.ts'
import { signedInClient } from '../people/api.ts'
import { people } from '../people/people.ts'

interface Draft {
  nome: string
  grupos: KeyGroup[]
  dias: number
  redes: string[]
}

const ofAna: Draft[] = [
  { nome: 'Planilha do financeiro', grupos: ['RELATORIOS', 'DADOS'], dias: 90, redes: [] },
  { nome: 'Assistente', grupos: ['DADOS'], dias: 30, redes: ['192.0.2.0/24'] },
]
const ofMarina: Draft[] = [
  { nome: 'Publicação do fechamento', grupos: ['PUBLICAR', 'ATUALIZAR'], dias: 6, redes: [] },
  { nome: 'Coleta da auditoria', grupos: ['AUDITORIA', 'USUARIOS'], dias: 365, redes: [] },
]

/** Takes the pictures of API keys: one's own, a new one, and those of all people. */
export const shootApiKeys = async (browser: Browser, portal: string, folder: string): Promise<void> => {
  const admin = await signedInClient(portal, people.admin)
  await admin.call(apiKeysApi.updateSettings, { body: { pessoas: true, mcp: true } })
  for (const body of ofMarina) await admin.call(apiKeysApi.create, { body })
  const ana = await signedInClient(portal, people.ana)
  for (const body of ofAna) {
    const { credencial } = await ana.call(apiKeysApi.create, { body })
    await fetch(`${portal}/api/usuarios/menus`, { headers: { authorization: `Bearer ${credencial}` } })
  }
  const visitor = await openBrowserProfile(browser, { portal })
  const { page, main } = visitor
  const shoot = async (name: string) => {
    await page.waitForTimeout(300)
    await page.screenshot({ path: `${folder}${name}-desktop-light.png`, animations: 'disabled' })
  }
  await visitor.enter(people.ana, '/chaves')
  await main.getByText('Planilha do financeiro').waitFor()
  await shoot('api-keys-own')
  await main.getByRole('button', { name: 'Criar chave' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Nome').fill('Painel da diretoria')
  await form.getByRole('checkbox', { name: 'Ver meus relatórios' }).check()
  await shoot('api-keys-form')
  await visitor.forgetSession()
  await visitor.enter(people.admin, '/chaves-de-api')
  await main.getByText('Planilha do financeiro').filter({ visible: true }).first().waitFor()
  await shoot('api-keys-all')
  await visitor.close()
}
