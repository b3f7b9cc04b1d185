import { type SimulatedTenant, simulateTenant } from '@bi-manager/server/test/stand-ins/microsoft-tenant'
import { paginatedPage } from '@bi-manager/server/test/stand-ins/paginated-page'
import { type Provider, startProvider } from '@bi-manager/server/test/stand-ins/provider-stand-in'
import { type Demo, startPortal } from './demo.ts'
import { embedPage, opensReport } from './microsoft-embed-page.ts'

/**
 * Starts a portal with an empty database, connected to a simulated tenant of Microsoft's, whose pages
 * the browser may show.
 */
export const startWithTenant = async (
  tenant: SimulatedTenant,
  settings: Record<string, string> = {},
): Promise<{ demo: Demo; provider: Provider; stop: () => Promise<void> }> => {
  const provider = await startProvider()
  const simulated = simulateTenant(provider, tenant)
  provider.answer('embedPage', ({ path }) => ({
    headers: { 'content-type': 'text/html; charset=utf-8' },
    body: path.startsWith('/rdlEmbed') ? paginatedPage : embedPage,
  }))
  const [report] = tenant.workspaces.flatMap(({ reports = [] }) => reports)
  provider.answer('embedRows', ({ authorization }) =>
    opensReport(simulated, authorization) ? { body: { name: report?.name } } : { status: 403 },
  )
  try {
    const demo = await startPortal({
      POWERBI_AUTHORITY_URL: provider.origin,
      POWERBI_API_URL: provider.origin,
      POWERBI_EMBED_URL: provider.origin,
      // powerbi-client embeds pages of Microsoft and of this one origin.
      REPORTS_URL: provider.origin,
      POWERBI_MANAGEMENT_URL: provider.origin,
      ...settings,
    })
    return {
      demo,
      provider,
      stop: async () => {
        await demo.stop()
        await provider.close()
      },
    }
  } catch (error) {
    await provider.close()
    throw error
  }
}
