import { ConfigError } from './config-error.ts'

/** Where one of Microsoft's clouds answers. */
interface PowerBiCloud {
  authority: string
  api: string
  embed: string
  scope: string
  /** Hosts below this domain are the cloud's clusters, to which its API may redirect. */
  clusters: string
  /** Microsoft Graph, which knows when secrets expire. */
  graph: string
  /** Azure Resource Manager, which starts, pauses and resizes capacities. */
  management: string
}

/**
 * Microsoft's clouds (learn.microsoft.com/power-bi/developer/embedded/
 * embed-sample-for-customers-national-clouds, and /entra/identity-platform/
 * authentication-national-cloud for the authorities, /graph/deployments for Microsoft Graph,
 * /azure/azure-government/compare-azure-government-global-azure and /azure/china/
 * resources-developer-guide for Azure Resource Manager).
 */
export const powerBiClouds = {
  global: {
    authority: 'https://login.microsoftonline.com',
    api: 'https://api.powerbi.com',
    embed: 'https://app.powerbi.com',
    scope: 'https://analysis.windows.net/powerbi/api/.default',
    clusters: 'analysis.windows.net',
    graph: 'https://graph.microsoft.com',
    management: 'https://management.azure.com',
  },
  'usgov-gcc': {
    authority: 'https://login.microsoftonline.com',
    api: 'https://api.powerbigov.us',
    embed: 'https://app.powerbigov.us',
    scope: 'https://analysis.usgovcloudapi.net/powerbi/api/.default',
    clusters: 'analysis.usgovcloudapi.net',
    graph: 'https://graph.microsoft.com',
    management: 'https://management.azure.com',
  },
  'usgov-high': {
    authority: 'https://login.microsoftonline.us',
    api: 'https://api.high.powerbigov.us',
    embed: 'https://app.high.powerbigov.us',
    scope: 'https://high.analysis.usgovcloudapi.net/powerbi/api/.default',
    clusters: 'high.analysis.usgovcloudapi.net',
    graph: 'https://graph.microsoft.us',
    management: 'https://management.usgovcloudapi.net',
  },
  'usgov-dod': {
    authority: 'https://login.microsoftonline.us',
    api: 'https://api.mil.powerbigov.us',
    embed: 'https://app.mil.powerbigov.us',
    scope: 'https://mil.analysis.usgovcloudapi.net/powerbi/api/.default',
    clusters: 'mil.analysis.usgovcloudapi.net',
    graph: 'https://dod-graph.microsoft.us',
    management: 'https://management.usgovcloudapi.net',
  },
  china: {
    authority: 'https://login.partner.microsoftonline.cn',
    api: 'https://api.powerbi.cn',
    embed: 'https://app.powerbi.cn',
    scope: 'https://analysis.chinacloudapi.cn/powerbi/api/.default',
    clusters: 'analysis.chinacloudapi.cn',
    graph: 'https://microsoftgraph.chinacloudapi.cn',
    management: 'https://management.chinacloudapi.cn',
  },
} satisfies Record<string, PowerBiCloud>

export type PowerBiCloudName = keyof typeof powerBiClouds

const settingOf = {
  authority: 'POWERBI_AUTHORITY_URL',
  api: 'POWERBI_API_URL',
  embed: 'POWERBI_EMBED_URL',
  graph: 'POWERBI_GRAPH_URL',
  management: 'POWERBI_MANAGEMENT_URL',
} as const

type Service = keyof typeof settingOf

/**
 * Returns the cloud with the addresses that the settings replace.
 * @throws ConfigError for an address of another cloud: Entra would issue tokens for the wrong one
 */
export const cloudWith = (
  name: PowerBiCloudName,
  replaced: Record<Service, string | undefined>,
): Omit<PowerBiCloud, 'graph' | 'management'> & { graph?: string; management?: string } => {
  const cloud = powerBiClouds[name]
  for (const service of Object.keys(settingOf) as Service[]) {
    const address = replaced[service]
    const other = Object.entries(powerBiClouds).find(([, candidate]) => candidate[service] === address)
    if (!other || address === cloud[service]) continue
    throw new ConfigError(
      `Configuração inválida: ${settingOf[service]} (${address}) não é da nuvem ${name}: retire essa variável ou use POWERBI_CLOUD=${other[0]}.`,
    )
  }
  const { graph: graphOfCloud, management: managementOfCloud, ...others } = cloud
  const authority = replaced.authority ?? cloud.authority
  // A token of another authority is not sent to the cloud's Graph or Resource Manager.
  const isOfCloud = authority === cloud.authority
  const graph = replaced.graph ?? (isOfCloud ? graphOfCloud : undefined)
  const management = replaced.management ?? (isOfCloud ? managementOfCloud : undefined)
  return {
    ...others,
    authority,
    api: replaced.api ?? cloud.api,
    embed: replaced.embed ?? cloud.embed,
    ...(graph ? { graph } : {}),
    ...(management ? { management } : {}),
  }
}
