import { orUndefined } from '../../platform/lib/or-undefined.ts'
import type { Connection } from './connection.ts'

interface Cause {
  says: RegExp
  microsoft: string
  local?: string
}

const inSettings = 'No Power BI, nas configurações do modelo semântico,'

/** The first row whose pattern matches the error code applies. */
const causes: Cause[] = [
  {
    says: /ModelRefresh_DataSourceError$/,
    microsoft: 'Uma fonte de dados não pôde ser lida. Confira se ela responde e se as credenciais valem.',
    local:
      'Um arquivo de dados ou a definição do conjunto não pôde ser lido; os dados anteriores continuam em uso. O log do serviço de relatórios diz qual.',
  },
  {
    says: /GatewayUnreachable|GatewayNotFound|GatewayOffline|NoGateway/i,
    microsoft:
      'O gateway de dados local não respondeu. Confira se a máquina dele está ligada e se o serviço do gateway está em execução.',
  },
  {
    says: /Credential|Unauthor|AccessDenied|Forbidden|OAuth|Login/i,
    microsoft: `Faltam as credenciais de uma fonte de dados, ou elas não valem mais. ${inSettings} edite as Credenciais da fonte de dados.`,
  },
  {
    says: /Time_?d?_?Out/i,
    microsoft:
      'A leitura passou do tempo limite. Reduza os dados lidos (por exemplo, com atualização incremental) ou atualize em um horário mais calmo.',
  },
  {
    says: /Memory|ResourceGovern|CapacityLimit|Capacity.*Exceed|Throttl/i,
    microsoft:
      'Faltou memória ou capacidade. Reduza o modelo, espalhe os horários das atualizações ou aumente a capacidade.',
  },
  {
    says: /Capacity.*(NotActive|Paused|Suspended)/i,
    microsoft: 'A capacidade estava pausada. Retome-a antes do horário das atualizações.',
  },
  {
    says: /DataSourceAccess|DataSource|Mashup|Gateway/i,
    microsoft:
      'Uma fonte de dados não pôde ser lida. Confira se ela responde, se o caminho ou a consulta ainda existe e se o gateway a alcança.',
  },
  {
    says: /Processing|ModelRefresh/i,
    microsoft: `Os dados lidos não puderam ser processados, por exemplo por uma coluna que mudou ou um valor de outro tipo. ${inSettings} abra o Histórico de atualizações para ver o erro completo.`,
    local:
      'O serviço de relatórios não concluiu a leitura; os dados anteriores continuam em uso. O log dele diz o motivo.',
  },
]

const noKnownCause = {
  microsoft: `O Power BI não disse uma causa conhecida. ${inSettings} abra o Histórico de atualizações.`,
  local: 'O serviço de relatórios não disse uma causa conhecida. Veja o log dele.',
}

/**
 * Returns why a refresh failed, in Portuguese. The provider's description is left out: it can
 * repeat values of the data.
 * @param exception `serviceExceptionJson`
 */
export const refreshCause = (
  exception: string | undefined,
  { provider }: Pick<Connection, 'provider'>,
): { causa: string; codigo: string | null } => {
  const codigo = codeOf(exception)
  const row = causes.find(({ says }) => says.test(codigo ?? ''))
  return { causa: row?.[provider] ?? row?.microsoft ?? noKnownCause[provider], codigo: codigo ?? null }
}

const codeOf = (exception = ''): string | undefined => {
  const json: unknown = orUndefined(() => JSON.parse(exception))
  const code = typeof json === 'object' && json !== null && 'errorCode' in json ? json.errorCode : undefined
  // A code is one word; anything else could be data.
  return typeof code === 'string' && /^[\w.-]{1,120}$/.test(code) ? code : undefined
}
