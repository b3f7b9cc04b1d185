import type { FastifyInstance } from 'fastify'
import { derivedGuid } from './derived-guid.ts'
import type { RestOptions } from './rest-options.ts'

/** The id of the one capacity of an installation, on which all workspaces are. */
export const capacityId = (tenantId: string): string => derivedGuid('capacity', tenantId)

/** The list of capacities: this service itself, which is active while it answers. */
export const capacityRoutes = async (
  app: FastifyInstance,
  { reportsUrl, tenantId }: Pick<RestOptions, 'reportsUrl' | 'tenantId'>,
) => {
  app.get('/capacities', async () => ({
    '@odata.context': `${reportsUrl}/v1.0/myorg/$metadata#capacities`,
    value: [
      {
        id: capacityId(tenantId),
        displayName: 'Serviço local de relatórios',
        admins: [],
        sku: 'A1',
        state: 'Active',
        capacityUserAccessRight: 'None',
        region: 'Local',
      },
    ],
  }))
}
