import { connectionsApi, reportRegistrationsApi } from '@bi-manager/contract'
import type { SimulatedTenant } from '@bi-manager/server/test/stand-ins/microsoft-tenant'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { looks, settled, visit } from '../../browser/visitor.ts'
import { dialogOf, press } from '../../pages/back-office.ts'
import { signedInClient } from '../../people/api.ts'
import { startWithTenant } from '../../services/microsoft.ts'
import { registerConnection, registerWorkspace } from '../../services/microsoft-registrations.ts'

const admin = { email: 'chefe@empresa.exemplo', password: 'Girassol de inverno 58', name: 'Administrador' }
const [profile, own, chained] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()]
const vendas = { id: crypto.randomUUID(), name: 'Vendas', datasetId: own }
const shown = { id: crypto.randomUUID(), name: 'Comercial', profile, reports: [vendas] }
const data = { id: crypto.randomUUID(), name: 'Dados', profile }
const tenant: SimulatedTenant = {
  profiles: [profile],
  workspaces: [shown, data],
  datasets: {
    // Its data come from Azure Analysis Services.
    [own]: { isEffectiveIdentityRequired: true, upstream: [chained], onlyUser: profile },
    [chained]: { isEffectiveIdentityRequired: true, workspaceId: data.id },
  },
}

let started: Awaited<ReturnType<typeof startWithTenant>>
let api: Awaited<ReturnType<typeof signedInClient>>
let idPowerBI: number
let idRelatorio: number
beforeAll(async () => {
  started = await startWithTenant(tenant, { ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password })
  api = await signedInClient(started.demo.portal, admin)
  idPowerBI = await registerConnection(api)
  const [id = 0] = await registerWorkspace(api, idPowerBI, shown)
  idRelatorio = id
}, 120_000)
afterAll(() => started.stop())

test.each(looks)(
  "'Testar conexão' leads to the profile, the identity and the further dataset, on the $size in the $colorScheme",
  { timeout: 120_000 },
  async (look) => {
    const [connection, report] = [
      await api.call(connectionsApi.get, { params: { id: idPowerBI } }),
      await api.call(reportRegistrationsApi.get, { params: { id: idRelatorio } }),
    ]
    await api.call(connectionsApi.update, {
      params: { id: idPowerBI },
      body: { ...connection, perfilPrincipal: null },
    })
    await api.call(reportRegistrationsApi.update, {
      params: { id: idRelatorio },
      body: { ...report, enviaIdentidade: false, usuarioIdentidade: null, datasetsAdicionais: [] },
    })
    const visitor = await visit({ portal: started.demo.portal, ...look })
    await visitor.enter(admin, `/Registerpowerbi/${idPowerBI}`)
    visitor.expectComplaint(/422/)
    const { page, main } = visitor
    const tested = async (sentence: string | RegExp) => {
      await visitor.goto('/powerbi')
      await press(page, 'Testar conexão Matriz')
      await dialogOf(page, /^Testar conexão/)
        .getByText(sentence)
        .first()
        .waitFor()
    }

    // The application itself is a member of no workspace.
    await tested(/não participa de nenhum workspace/)
    await visitor.goto(`/Registerpowerbi/${idPowerBI}`)
    const profileField = page.getByLabel('Perfil do service principal')
    await profileField.fill('cliente 7')
    await press(page, 'Gravar')
    await main.getByText('Informe o id do perfil (GUID).').waitFor()
    await settled(visitor, 'a faulty profile')
    await profileField.fill(profile)
    await press(page, 'Gravar')
    await dialogOf(page, 'Powerbi editado').waitFor()

    await tested(/exige uma identidade/)
    await visitor.goto(`/RegisterworkspaceRelatorios/${idRelatorio}`)
    await main.getByText(/exige uma identidade, e nenhuma é enviada/).waitFor()
    await press(main, 'Avançado')
    await main.getByLabel('Enviar a identidade da pessoa').check()
    await main.getByText(/exige uma identidade, e nenhuma é enviada/).waitFor({ state: 'hidden' })
    const datasets = main.getByRole('combobox', { name: 'Conjuntos de dados adicionais' })
    await datasets.fill('Dados')
    await page.keyboard.press('Enter')
    await press(page, 'Gravar')
    await main.getByText(/^Informe o id de cada conjunto \(GUID\)/).waitFor()
    await settled(visitor, 'a faulty dataset')
    await datasets.press('Backspace')
    await datasets.fill(chained)
    await page.keyboard.press('Enter')
    await press(page, 'Gravar')
    await dialogOf(page, 'Relatório editado!').waitFor()

    // The dataset is in another workspace than the report; its refreshes cannot be read either.
    visitor.expectComplaint(/502 .*\/dados\//)
    await tested(/antes do id de um que está em outro workspace/)
    await settled(visitor, 'advice on a dataset')
    await visitor.goto(`/RegisterworkspaceRelatorios/${idRelatorio}`)
    await datasets.press('Backspace')
    await datasets.fill(`${data.id}/${chained}`)
    await page.keyboard.press('Enter')
    await settled(visitor, 'a dataset in another workspace')
    await press(page, 'Gravar')
    await dialogOf(page, 'Relatório editado!').waitFor()
    await tested(/informe no relatório, em Avançado, Usuário enviado/)

    await visitor.goto(`/RegisterworkspaceRelatorios/${idRelatorio}`)
    await page.getByLabel('Usuário enviado').fill(profile)
    await settled(visitor, 'the identity fields')
    await press(page, 'Gravar')
    await dialogOf(page, 'Relatório editado!').waitFor()
    await tested('A conexão funciona')
    expect(await api.call(reportRegistrationsApi.get, { params: { id: idRelatorio } })).toMatchObject({
      enviaIdentidade: true,
      usuarioIdentidade: profile,
      datasetsAdicionais: [`${data.id}/${chained}`],
    })

    // The page shows the rows only when the token opens both datasets.
    await visitor.goto(`/relatorio-embed/comercial/vendas/${shown.id}/${vendas.id}`)
    await page.frameLocator('iframe').locator('body').getByText(vendas.name).waitFor()
    await visitor.close()
  },
)
