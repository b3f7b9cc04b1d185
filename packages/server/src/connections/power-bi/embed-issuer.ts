import { cacheLookups } from '@bi-manager/telemetry/events'
import type { ProviderAddresses } from '../../platform/config/config.ts'
import { createBoundedCache } from '../../platform/lib/bounded-cache.ts'
import { orNotFound, Problem } from '../../platform/lib/problem.ts'
import type { Connection } from './connection.ts'
import {
  type DatasetIdentity,
  type EffectiveIdentity,
  identitiesFor,
  type ReadDataset,
} from './effective-identity.ts'
import type { DatasetAddress, PowerBiApi } from './power-bi-api.ts'
import type { DatasetPlace } from './refresh-histories.ts'
import { readDatasets } from './report-datasets.ts'
import type { ReportPanel } from './report-panel.ts'

interface ReportReference {
  connection: Connection
  /** Ids at the provider. */
  groupId: string
  reportId: string
  /** Further datasets, as the report's registration names them. */
  datasetsAdicionais: string[]
}

interface IssuedEmbed {
  token: string
  /** Undefined when the provider names none. */
  tokenId: string | undefined
  expiration: Date
  embedUrl: string
  isPaginated: boolean
  panel: ReportPanel
}

export type EmbedIssuer = ReturnType<typeof createEmbedIssuer>

interface Metadata {
  embedUrl: string
  isPaginated: boolean
  panel: ReportPanel
  /** A paginated report has none. */
  own: DatasetAddress | undefined
  /** The report's own dataset comes first. */
  datasets: ReadDataset[]
}

interface Options {
  api: PowerBiApi
  addresses: Record<Connection['provider'], ProviderAddresses>
  now: () => Date
}

const metadataMs = 5 * 60_000
const cacheLimit = 5_000

/**
 * Who gets a token. The local report service learns the first two; Microsoft has no such fields, and
 * user data is not sent there without need.
 */
interface Bearer {
  /** An opaque mark of the reader, who gets a fair share of the queries. */
  reader: string
  /** The bearer learns which rule leaves out every row. */
  explainsRules?: boolean | undefined
  /** Minutes; without it, the token lives as long as the provider's do. */
  lifetimeMinutes?: number | undefined
}

/**
 * Issues embed tokens. Caches metadata for five minutes. Shares only tokens without identity: among
 * all readers at Microsoft, among the openings of one reader at the local service.
 */
export const createEmbedIssuer = ({ api, addresses, now }: Options) => {
  const metadata = createBoundedCache<{ until: number; value: Promise<Metadata> }>(cacheLimit)
  const shared = createBoundedCache<{ until: number; value: Promise<IssuedEmbed> }>(cacheLimit)

  const fetchMetadata = async (reference: ReportReference): Promise<Metadata> => {
    const { connection, groupId, reportId, datasetsAdicionais: additional } = reference
    const read = await api.getReport(connection, groupId, reportId)
    const { embedUrl, isPaginated, panel, dataset: own } = read
    const allowed = new URL(addresses[connection.provider].embed).origin
    if (!embedUrl || URL.parse(embedUrl)?.origin !== allowed || !(own || isPaginated)) {
      throw new Problem('bi_resposta_invalida', {
        cause: `embedUrl outside ${allowed}, or a report without dataset`,
      })
    }
    const datasets = await readDatasets(api, connection, { own, groupId, additional })
    return { embedUrl, isPaginated, panel, own, datasets }
  }

  const metadataFor = (report: ReportReference): Promise<Metadata> =>
    remember('report_metadata', metadata, keyOf(report), now().getTime() + metadataMs, () =>
      fetchMetadata(report),
    )

  const generate = async (
    report: ReportReference,
    identity: EffectiveIdentity | undefined,
    { reader, explainsRules = false, lifetimeMinutes }: Bearer,
  ): Promise<IssuedEmbed> => {
    const { embedUrl, isPaginated, panel, datasets } = await metadataFor(report)
    const identities = identitiesFor(datasets, identity, isPaginated ? report.reportId : undefined)
    const isLocal = report.connection.provider === 'local'
    const answer = await api.generateToken(report.connection, {
      reportId: report.reportId,
      datasetIds: datasets.map(({ id }) => id),
      identities:
        isLocal && explainsRules
          ? identities.map((one) => ({ ...one, '@biManager.explainsRules': true }))
          : identities,
      isPaginated,
      reader: isLocal ? reader : undefined,
      lifetimeMinutes,
    })
    const { token, tokenId } = answer
    return { token, tokenId, expiration: new Date(answer.expiration), embedUrl, isPaginated, panel }
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
    /**
     * Issues a view-only embed token for one report.
     * @param identity the viewer's effective identity; undefined when the report is the same for
     * every viewer
     * @throws Problem `bi_identidade_necessaria` as `identitiesFor`
     */
    issue: async (
      report: ReportReference,
      identity: EffectiveIdentity | undefined,
      bearer: Bearer,
    ): Promise<IssuedEmbed> => {
      // A token with an end of its own is not shared either.
      if (identity || bearer.lifetimeMinutes !== undefined) return generate(report, identity, bearer)
      const isLocal = report.connection.provider === 'local'
      const key = isLocal ? `${keyOf(report)} ${bearer.reader}` : keyOf(report)
      const issued = await remember('embed_token', shared, key, Number.POSITIVE_INFINITY, () =>
        generate(report, undefined, bearer),
      )
      // Shared for half its life, so that every recipient has at least the other half.
      const start = shared.get(key)
      if (start?.until === Number.POSITIVE_INFINITY) {
        const time = now().getTime()
        shared.set(key, { ...start, until: time + (issued.expiration.getTime() - time) / 2 })
      }
      return issued
    },
    /**
     * Returns the identities that a token of the report carries, whether the report is paginated,
     * and its panel; refuses as `issue` does.
     */
    identitiesFor: async (
      report: ReportReference,
      identity: EffectiveIdentity | undefined,
    ): Promise<{ isPaginated: boolean; panel: ReportPanel; identities: DatasetIdentity[] }> => {
      const { datasets, isPaginated, panel } = await metadataFor(report)
      const identities = identitiesFor(datasets, identity, isPaginated ? report.reportId : undefined)
      return { isPaginated, panel, identities }
    },
    /** Returns the report's panel, as far as the provider says. */
    panelFor: async (report: ReportReference): Promise<ReportPanel> => (await metadataFor(report)).panel,
    /**
     * Returns where the report's own dataset is; its rows remain out of reach.
     * @throws Problem `nao_encontrado` for a paginated report
     */
    placeOfDataset: async (report: ReportReference): Promise<DatasetPlace> => ({
      connection: report.connection,
      ...orNotFound((await metadataFor(report)).own),
    }),
  }
}

const keyOf = ({ connection, groupId, reportId, datasetsAdicionais }: ReportReference): string =>
  [`${connection.id}.${connection.version}`, groupId.toLowerCase(), reportId.toLowerCase()]
    .concat(datasetsAdicionais)
    .join(' ')
