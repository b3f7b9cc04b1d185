import { cacheLookups } from '@bi-manager/telemetry/events'
import type { ProviderAddresses } from '../config/config.ts'
import { createBoundedCache } from '../lib/bounded-cache.ts'
import { Problem } from '../lib/problem.ts'
import type { Connection } from './connection.ts'
import type { EffectiveIdentity, PowerBiApi } from './power-bi-api.ts'

interface ReportReference {
  connection: Connection
  /** Ids at the provider. */
  groupId: string
  reportId: string
}

export interface IssuedEmbed {
  token: string
  tokenId: string
  expiration: Date
  embedUrl: string
}

export interface EmbedIssuer {
  /**
   * Issues a view-only embed token for one report.
   * @param identity the viewer's effective identity; undefined when the report is the same for
   * every viewer
   * @throws Problem `bi_identidade_necessaria` when the dataset requires an identity and none is
   * given: a master user without one would see every row
   */
  issue: (report: ReportReference, identity: EffectiveIdentity | undefined) => Promise<IssuedEmbed>
  /** Returns the id of the report's dataset, and refuses as `issue` does. */
  datasetFor: (report: ReportReference, identity: EffectiveIdentity | undefined) => Promise<string>
}

interface Metadata {
  embedUrl: string
  datasetId: string
  requiresIdentity: boolean
}

interface Options {
  api: PowerBiApi
  addresses: Record<Connection['provider'], ProviderAddresses>
  now: () => Date
}

const metadataMs = 5 * 60_000
const cacheLimit = 5_000

/** Issues embed tokens. Caches metadata for five minutes; shares only tokens without identity. */
export const createEmbedIssuer = ({ api, addresses, now }: Options): EmbedIssuer => {
  const metadata = createBoundedCache<{ until: number; value: Promise<Metadata> }>(cacheLimit)
  const shared = createBoundedCache<{ until: number; value: Promise<IssuedEmbed> }>(cacheLimit)

  const fetchMetadata = async ({ connection, groupId, reportId }: ReportReference): Promise<Metadata> => {
    const report = await api.getReport(connection, groupId, reportId)
    const allowed = new URL(addresses[connection.provider].embed).origin
    if (new URL(report.embedUrl).origin !== allowed || !report.datasetId) {
      throw new Problem('bi_resposta_invalida', {
        cause: `embedUrl outside ${allowed}, or a report without dataset`,
      })
    }
    const dataset = await api.getDataset(connection, report.datasetWorkspaceId ?? groupId, report.datasetId)
    return {
      embedUrl: report.embedUrl,
      datasetId: report.datasetId,
      requiresIdentity: dataset.requiresIdentity,
    }
  }

  const metadataFor = async (
    report: ReportReference,
    identity: EffectiveIdentity | undefined,
  ): Promise<Metadata> => {
    const found = await remember(
      'report_metadata',
      metadata,
      keyOf(report),
      now().getTime() + metadataMs,
      () => fetchMetadata(report),
    )
    if (found.requiresIdentity && !identity?.roles.length) throw new Problem('bi_identidade_necessaria')
    return found
  }

  const generate = async (
    report: ReportReference,
    identity: EffectiveIdentity | undefined,
  ): Promise<IssuedEmbed> => {
    const { embedUrl, datasetId } = await metadataFor(report, identity)
    const answer = await api.generateToken(report.connection, {
      reportId: report.reportId,
      datasetId,
      identity,
    })
    return { token: answer.token, tokenId: answer.tokenId, expiration: new Date(answer.expiration), embedUrl }
  }

  const remember = async <V>(
    name: string,
    cache: ReturnType<typeof createBoundedCache<{ until: number; value: Promise<V> }>>,
    key: string,
    until: number,
    make: () => Promise<V>,
  ): Promise<V> => {
    const hit = cache.get(key)
    const isHit = hit !== undefined && hit.until > now().getTime()
    cacheLookups.publish({ cache: name, isHit })
    if (isHit) return hit.value
    const value = make()
    cache.set(key, { until, value })
    // Failures are not cached.
    value.catch(() => cache.delete(key))
    return value
  }

  return {
    issue: async (report, identity) => {
      if (identity) return generate(report, identity)
      const key = keyOf(report)
      const issued = await remember('embed_token', shared, key, Number.POSITIVE_INFINITY, () =>
        generate(report, undefined),
      )
      // Shared for half its life, so that every recipient has at least the other half.
      const start = shared.get(key)
      if (start?.until === Number.POSITIVE_INFINITY) {
        const time = now().getTime()
        shared.set(key, { ...start, until: time + (issued.expiration.getTime() - time) / 2 })
      }
      return issued
    },
    datasetFor: async (report, identity) => (await metadataFor(report, identity)).datasetId,
  }
}

const keyOf = ({ connection, groupId, reportId }: ReportReference): string =>
  `${connection.id}.${connection.version}/${groupId.toLowerCase()}/${reportId.toLowerCase()}`
