import { beneficiariesApi, dataProtectionApi } from '@bi-manager/contract'
import type { Browser } from 'playwright-core'
import { openBrowserProfile } from '../browser/visitor.ts'
import { givePurpose } from '../pages/clinical-panel.ts'
import { signedInClient } from '../people/api.ts'
import { createOfficer } from '../people/officer.ts'

/** Takes the pictures of docs/manual/encarregado.md, on a fresh demo. */
export const shootOfficer = async (browser: Browser, portal: string, folder: string): Promise<void> => {
  const officer = await createOfficer(portal, 'Rita Prado', 'rita.prado@exemplo.com.br')
  const { call } = await signedInClient(portal, officer)
  const [person] = await call(beneficiariesApi.list, { query: { pagina: 1 } })
  for (const incident of incidents()) await call(dataProtectionApi.createIncident, { body: incident })
  const visitor = await openBrowserProfile(browser, { portal })
  const { page } = visitor
  const main = page.getByRole('main')
  const shoot = (name: string) =>
    page.screenshot({
      path: `${folder}${name}-desktop-light.png`,
      animations: 'disabled',
    })
  await visitor.goto('/')
  await visitor.signIn(officer)
  await visitor.goto('/protecao-de-dados')
  await givePurpose(page, 'Regulação')
  await main.getByRole('searchbox', { name: 'Pesquisar beneficiário' }).fill(person?.id_beneficiario ?? '')
  await main.getByRole('button', { name: 'Pesquisar' }).click()
  await main.getByRole('button', { name: /^Abrir / }).click()
  await main.getByRole('heading', { name: 'Quem acessou' }).waitFor()
  await main.getByText('Regulação').nth(1).waitFor()
  await shoot('officer-beneficiary')
  await main.getByRole('tab', { name: 'Incidentes' }).click()
  await main.getByText('Fora do prazo').waitFor()
  await shoot('officer-incidents')
  await visitor.close()
}

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()

const incidents = () => [
  {
    titulo: 'Planilha de beneficiários enviada ao destinatário errado',
    conhecido_em: hoursAgo(5),
    descricao: 'O e-mail foi a um endereço parecido com o da operadora.',
    dados_afetados: 'Nome, plano e especialidade.',
    titulares_afetados: 1240,
    gravidade: 'medio' as const,
    exige_comunicacao: true,
  },
  {
    titulo: 'Notebook furtado com relatórios sem cifra',
    conhecido_em: hoursAgo(12 * 24),
    descricao: 'O disco não estava cifrado.',
    dados_afetados: 'Nome e prontuários de beneficiários.',
    titulares_afetados: 86,
    gravidade: 'alto' as const,
    exige_comunicacao: true,
    comunicado_anpd_em: hoursAgo(11 * 24),
  },
]
