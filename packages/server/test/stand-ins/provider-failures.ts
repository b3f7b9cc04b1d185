import type { ProblemCode, TestStep } from '@bi-manager/contract'
import type { Kind, SeenRequest } from './provider-requests.ts'
import type { ScriptedAnswer } from './provider-stand-in.ts'

export interface Failure {
  name: string
  /** The failing call, and its answer. */
  kind: TestedKind
  answer: (request: SeenRequest) => ScriptedAnswer
  credential?: 'master_user'
  /** The problem for the user who opens a report. */
  codigo: ProblemCode
  /** The step of the connection test that fails. */
  step: TestStep
  /** Part of the sentence for the administrator of a Microsoft connection. */
  says: RegExp
}

/** The calls of a connection test. */
type TestedKind = Exclude<
  Kind,
  | 'capacities'
  | 'dashboards'
  | 'embedPage'
  | 'embedRows'
  | 'capacity'
  | 'capacityStart'
  | 'capacityPause'
  | 'capacityResize'
  | 'capacitySkus'
  | 'sendDraft'
  | 'readDraft'
  | 'checkOrPublishDraft'
  | 'previewDraft'
  | 'validateFolder'
  | 'discardDraft'
  | 'published'
  | 'versions'
  | 'restoreVersion'
  | 'tables'
  | 'replaceData'
  | 'beneficiaries'
  | 'runQuery'
  | 'describeReport'
  | 'readData'
  | 'groupDatasets'
  | 'pages'
  | 'refreshes'
  | 'startRefresh'
  | 'refreshSchedule'
  | 'exportTo'
  | 'exportState'
  | 'exportFile'
  | 'exportFormats'
  | 'application'
>

const stepOf: Record<TestedKind, TestStep> = {
  token: 'credencial',
  groups: 'grupos',
  groupReports: 'relatorio',
  report: 'relatorio',
  dataset: 'token',
  generateToken: 'token',
}

/** Entra's answer, too long and repeating the request, as no service should. */
const entra = (code: number, error: string, says: RegExp, credential?: 'master_user'): Failure => ({
  name: `AADSTS${code}`,
  kind: 'token',
  answer: ({ body }) => ({
    status: error === 'invalid_client' ? 401 : 400,
    body: {
      error,
      error_description: `AADSTS${code}: ${'Something went wrong. '.repeat(40)}${decodeURIComponent(body)}`,
      error_codes: [code],
    },
  }),
  ...(credential ? { credential } : {}),
  codigo: 'bi_credencial_recusada',
  step: 'credencial',
  says,
})

/** Power BI's answer, with code and text. */
const powerBi = (
  name: string,
  kind: TestedKind,
  [status, code, message]: [number, string?, string?],
  codigo: ProblemCode,
  says: RegExp,
): Failure => ({
  name: `${kind}: ${name}`,
  kind,
  answer: ({ authorization }) => ({
    status,
    body: code ? { error: { code, message: `${message ?? ''} ${authorization}` } } : '',
  }),
  codigo,
  step: stepOf[kind],
  says,
})

/** The same failure of a connection with a master user. */
const ofMaster = (failure: Failure): Failure => ({
  ...failure,
  name: `${failure.name}, of a master user`,
  credential: 'master_user',
})

/** Each has its own sentence. */
export const particularFailures: Failure[] = [
  entra(7000215, 'invalid_client', /segredo do aplicativo está incorreto.*Valor do segredo/),
  entra(7000222, 'invalid_client', /segredo do aplicativo expirou/),
  entra(700016, 'unauthorized_client', /aplicativo não existe neste tenant/),
  entra(90002, 'invalid_request', /tenant não existe.*POWERBI_CLOUD/),
  entra(500011, 'invalid_resource', /outra nuvem da Microsoft.*Corrija POWERBI_CLOUD/),
  entra(50059, 'invalid_request', /Falta dizer o tenant/),
  entra(50126, 'invalid_grant', /usuário mestre ou a senha dele está incorreto/, 'master_user'),
  entra(50076, 'invalid_grant', /verificação em duas etapas/, 'master_user'),
  entra(65001, 'invalid_grant', /Falta consentimento/, 'master_user'),
  entra(50053, 'invalid_grant', /bloqueada/, 'master_user'),
  entra(50057, 'invalid_grant', /desabilitada/, 'master_user'),
  entra(50055, 'invalid_grant', /senha do usuário mestre expirou/, 'master_user'),
  entra(7000218, 'invalid_client', /fluxos de clientes públicos/, 'master_user'),
  entra(900144, 'invalid_request', /Application ID/, 'master_user'),
  entra(99999, 'invalid_client', /recusou a credencial/),
  powerBi(
    'tenant setting',
    'groups',
    [403, 'PowerBINotAuthorizedException'],
    'bi_sem_acesso',
    /O tenant não permite que este aplicativo use as APIs/,
  ),
  {
    ...powerBi('not a member', 'report', [403, 'PowerBINotAuthorizedException'], 'bi_sem_acesso', /x/),
    says: /não participa deste workspace/,
  },
  powerBi(
    'no such report',
    'report',
    [404, 'PowerBIEntityNotFound'],
    'bi_relatorio_inexistente',
    /encontrou o relatório/,
  ),
  powerBi('no such group', 'groups', [404], 'bi_relatorio_inexistente', /encontrou este workspace/),
  powerBi('paused capacity', 'generateToken', [400, 'CapacityNotActive'], 'bi_pausado', /pausada/),
  powerBi(
    'no capacity',
    'generateToken',
    [
      403,
      'Forbidden',
      'You have exceeded the amount of embed token that can be generated on a shared or ProPlus capacity.',
    ],
    'bi_cota_esgotada',
    /não está em uma capacidade; esperar não adianta/,
  ),
  powerBi(
    'an overloaded capacity',
    'generateToken',
    [400, 'CapacityLimitExceeded'],
    'bi_sobrecarregado',
    /passou do limite de computação e recusa chamadas\. Aguarde 60 segundos/,
  ),
  powerBi(
    'no right to the dataset',
    'dataset',
    [403, 'PowerBINotAuthorizedException'],
    'bi_sem_acesso',
    /não pode ler o conjunto de dados dele \(Dataset\.Read\.All\)/,
  ),
  ofMaster(
    powerBi(
      'no permission for datasets',
      'dataset',
      [401],
      'bi_sem_acesso',
      /em Permissões de API, Dataset\.Read\.All com consentimento/,
    ),
  ),
  ofMaster(
    powerBi(
      'no permission for reports',
      'report',
      [403, 'PowerBINotAuthorizedException'],
      'bi_sem_acesso',
      /não tem Report\.Read\.All/,
    ),
  ),
  ofMaster(
    powerBi(
      'no permission for tokens',
      'generateToken',
      [403, 'PowerBINotAuthorizedException'],
      'bi_sem_acesso',
      /Report\.Read\.All e Dataset\.Read\.All com consentimento/,
    ),
  ),
  powerBi(
    'identity required',
    'generateToken',
    [
      400,
      'InvalidRequest',
      'Creating embed token for accessing dataset 1 requires effective identity to be provided',
    ],
    'bi_identidade_necessaria',
    /exige uma identidade/,
  ),
  powerBi(
    'identity not wanted',
    'generateToken',
    [400, 'InvalidRequest', "Creating embed token for accessing dataset 1 shouldn't have effective identity"],
    'bi_identidade_necessaria',
    /Retire os papéis/,
  ),
  powerBi(
    'other roles',
    'generateToken',
    [400, 'InvalidRequest', 'requires roles to be included in provided effective identity'],
    'bi_identidade_necessaria',
    /papéis de segurança do relatório não são os do conjunto/,
  ),
  powerBi(
    'no right to tokens',
    'generateToken',
    [403, 'PowerBINotAuthorizedException'],
    'bi_sem_acesso',
    /não pode gerar o token/,
  ),
]

/** Other signs of the same failures, with the same sentences. */
export const otherSigns: Failure[] = [
  powerBi(
    'no capacity, as too many requests',
    'generateToken',
    [429, 'TooManyRequests', 'You have exceeded the amount of embed token that can be generated'],
    'bi_cota_esgotada',
    /não está em uma capacidade; esperar não adianta/,
  ),
  {
    ...powerBi('429 until a date', 'report', [429], 'bi_sobrecarregado', /aguardar 17 segundos/),
    answer: () => ({
      status: 429,
      headers: { date: 'Wed, 25 Nov 2026 12:00:00 GMT', 'retry-after': 'Wed, 25 Nov 2026 12:00:17 GMT' },
    }),
  },
  {
    ...powerBi('429 with the wait in its text', 'report', [429], 'bi_sobrecarregado', /aguardar 24 minutos/),
    answer: () => ({
      status: 429,
      body: { Message: 'You have exceeded the amount of requests allowed. Retry in 1423 seconds.' },
    }),
  },
  {
    ...powerBi("a capacity that Fabric's format calls paused", 'report', [400], 'bi_pausado', /pausada/),
    answer: () => ({ status: 400, body: { errorCode: 'CapacityNotActive', message: 'x', requestId: '1' } }),
  },
  powerBi('paused capacity, as not found', 'report', [404, 'CapacityNotActive'], 'bi_pausado', /pausada/),
  powerBi(
    "paused capacity, in the text's words",
    'dataset',
    [503, 'InternalError', 'Capacity operation failed with error code CapacityNotActive'],
    'bi_pausado',
    /pausada/,
  ),
  entra(900023, 'invalid_request', /tenant não existe/),
  entra(50079, 'invalid_grant', /verificação em duas etapas/, 'master_user'),
  {
    ...powerBi('tenant setting, by a header', 'groups', [401], 'bi_sem_acesso', /O tenant não permite/),
    answer: () => ({
      status: 401,
      body: '',
      headers: { 'x-powerbi-error-info': 'ServicePrincipalIsNotAllowedByTenantAdminSwitch' },
    }),
  },
  {
    ...powerBi(
      "tenant setting, by the gateway's text",
      'groups',
      [403],
      'bi_sem_acesso',
      /O tenant não permite/,
    ),
    answer: () => ({ status: 403, body: { Message: 'API is not accessible for application' } }),
  },
  {
    ...powerBi(
      'a master user without permission',
      'groups',
      [403],
      'bi_sem_acesso',
      /usuário mestre não pode ver workspaces.*Workspace\.Read\.All/,
    ),
    credential: 'master_user',
  },
]

const kinds: TestedKind[] = ['token', 'groups', 'groupReports', 'report', 'dataset', 'generateToken']

/** Failures that any call can meet. */
export const commonFailures: Failure[] = kinds.flatMap((kind): Failure[] => {
  const step = stepOf[kind]
  const failing = (name: string, answer: ScriptedAnswer, codigo: ProblemCode, says: RegExp): Failure => ({
    name: `${kind}: ${name}`,
    kind,
    answer: () => answer,
    codigo,
    step,
    says,
  })
  return [
    failing(
      '429',
      { status: 429, headers: { 'retry-after': '17' } },
      'bi_sobrecarregado',
      /aguardar 17 segundos/,
    ),
    failing('500', { status: 500, body: '<html>oops' }, 'bi_indisponivel', /problemas \(HTTP 500\)/),
    failing('503', { status: 503, body: { error: null } }, 'bi_indisponivel', /problemas \(HTTP 503\)/),
    failing('no answer in time', { delay: 4000 }, 'bi_sem_resposta', /não respondeu em 1 segundo/),
    failing('a broken connection', { drop: true }, 'bi_indisponivel', /Não foi possível chegar a http:/),
    failing('malformed JSON', { body: '{"value":[' }, 'bi_resposta_invalida', /não pôde ser lida/),
    failing(
      'a cut answer',
      { headers: { 'content-length': '1000', connection: 'close' }, body: '{"value":[]}' },
      'bi_resposta_invalida',
      /não pôde ser lida/,
    ),
    failing(
      'an answer that is not what its encoding says',
      { headers: { 'content-encoding': 'gzip' }, body: '{"value":[]}' },
      'bi_resposta_invalida',
      /não pôde ser lida/,
    ),
    failing('another shape', { body: { value: 7, error: [1] } }, 'bi_resposta_invalida', /não pôde ser lida/),
    failing(
      'a redirect',
      { status: 307, headers: { location: 'http://127.0.0.1:9/' } },
      'bi_indisponivel',
      /redireciona a chamada para http:\/\/127\.0\.0\.1:9, que não é da nuvem configurada/,
    ),
  ]
})
