import type { Browser } from 'playwright-core'
import { openBrowserProfile } from '../browser/visitor.ts'
import { capacityAdmin, startWithCapacity } from '../services/capacity-tenant.ts'

/** Takes the pictures of capacities in docs/manual/conexoes.md, with a simulated Azure. */
export const shootCapacity = async (browser: Browser, folder: string): Promise<void> => {
  const started = await startWithCapacity({
    id: '/subscriptions/548b7fb7-3b2a-4f46-bb02-66473f1fc22c/resourceGroups/bi/providers/Microsoft.Fabric/capacities/producao',
    sku: 'F8',
    state: 'Active',
    capacityId: 'c',
  })
  try {
    const { idCapacidade } = await started.register()
    const visitor = await openBrowserProfile(browser, { portal: started.portal })
    const { page } = visitor
    await visitor.goto('/')
    await visitor.signIn(capacityAdmin)
    await visitor.goto(`/cadastrar-capacidade/${idCapacidade}`)
    const state = page.getByRole('region', { name: 'Estado no Azure' })
    await state.getByText('Ativa', { exact: true }).waitFor()
    await page.screenshot({ path: `${folder}capacity-desktop-light.png`, animations: 'disabled' })
    await visitor.close()
  } finally {
    await started.stop()
  }
}
