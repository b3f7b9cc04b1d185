/** Host names of one of Microsoft's clouds, and what its Entra issues tokens for. */
export interface SimulatedCloud {
  authority: string
  api: string
  embed: string
  scope: string
}

/**
 * Three of Microsoft's clouds, written down from its documentation and not read from the portal's
 * table: learn.microsoft.com/power-bi/developer/embedded/embed-sample-for-customers-national-clouds.
 */
export const simulatedClouds = {
  global: {
    authority: 'login.microsoftonline.com',
    api: 'api.powerbi.com',
    embed: 'app.powerbi.com',
    scope: 'https://analysis.windows.net/powerbi/api/.default',
  },
  'usgov-high': {
    authority: 'login.microsoftonline.us',
    api: 'api.high.powerbigov.us',
    embed: 'app.high.powerbigov.us',
    scope: 'https://high.analysis.usgovcloudapi.net/powerbi/api/.default',
  },
  china: {
    authority: 'login.partner.microsoftonline.cn',
    api: 'api.powerbi.cn',
    embed: 'app.powerbi.cn',
    scope: 'https://analysis.chinacloudapi.cn/powerbi/api/.default',
  },
} satisfies Record<string, SimulatedCloud>

export type SimulatedCloudName = keyof typeof simulatedClouds

const audienceOf = (scope: string) => Buffer.from(scope.replace('/.default', '')).toString('base64url')

/** Returns an Entra token that names its audience, as Microsoft's do. */
export const entraTokenFor = (scope: string): string => `${audienceOf(scope)}.${crypto.randomUUID()}`

/** Returns whether a call's token has the audience of this scope. */
export const hasAudience = (authorization: string, scope: string): boolean =>
  authorization.startsWith(`Bearer ${audienceOf(scope)}.`)
