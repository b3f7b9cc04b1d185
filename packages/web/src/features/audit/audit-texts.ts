import { type AuditAction, type AuditEntry, auditActions } from '@bi-manager/contract'

/** What happened, as the portal says it; an action of another version as it is called. */
export const actionText = (acao: string): string => (isAction(acao) ? auditActions[acao] : acao)

export const isAction = (text: string | null): text is AuditAction => text !== null && text in auditActions

/** By the word before the dot of an action. */
const groups: [title: string, nouns: string[]][] = [
  ['Acessos', ['session', 'access', 'embed', 'menu']],
  ['Contas e senhas', ['account', 'password', 'second-factor']],
  ['Usuários e permissões', ['user', 'profile', 'grants']],
  ['Cadastros', ['connection', 'workspace', 'report', 'responsible', 'page']],
]
const otherGroup = 'Sistema'

/** Every action under its heading, for the filter. */
export const actionGroups = (): { group: string; items: { value: string; label: string }[] }[] => {
  const groupOf = (acao: string) =>
    groups.find(([, nouns]) => nouns.includes(acao.split('.')[0] ?? ''))?.[0] ?? otherGroup
  const items = Object.entries(auditActions).map(([value, label]) => ({ value, label }))
  return [...groups.map(([title]) => title), otherGroup].map((group) => ({
    group,
    items: items.filter(({ value }) => groupOf(value) === group),
  }))
}

/** What an object is called by the audit → by the portal. */
export const objectKinds: Record<string, string> = {
  powerbi: 'Powerbi',
  workspace: 'Workspace',
  relatorio: 'Relatório',
  usuario: 'Usuário',
  perfil: 'Perfil',
  responsible: 'Responsável',
  pagina: 'Página',
}

const listNames: Record<string, string> = {
  powerbis: 'Lista de Powerbis',
  workspaces: 'Lista de workspaces',
  relatorios: 'Lista de relatórios',
  usuarios: 'Lista de usuários',
  auditoria: 'Trilha de auditoria',
}

/** 'Relatório 12' for `relatorio:12`; what has no name of its own stays as it is. */
export const objectText = (objeto: string | null): string => {
  if (!objeto) return '—'
  const { kind, id } = objectParts(objeto)
  const name = objectKinds[kind]
  if (name && id) return `${name} ${id}`
  return listNames[objeto] ?? objeto
}

export const objectParts = (objeto: string): { kind: string; id: string } => {
  const colon = objeto.indexOf(':')
  return colon < 0 ? { kind: objeto, id: '' } : { kind: objeto.slice(0, colon), id: objeto.slice(colon + 1) }
}

const ofTheSystem = ['installation', 'audit', 'secrets', 'database']

export const personText = ({ idUsuario, nomeUsuario, acao }: AuditEntry): string => {
  if (nomeUsuario !== null) return nomeUsuario
  if (idUsuario !== null) return `Usuário nº ${idUsuario} (excluído)`
  return ofTheSystem.includes(acao.split('.')[0] ?? '') ? 'O próprio sistema' : 'Não identificado'
}

const moment = new Intl.DateTimeFormat('pt-BR', {
  day: '2-digit',
  month: '2-digit',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  timeZone: 'America/Sao_Paulo',
})

/** '10/03/2026 09:00:00', of America/Sao_Paulo, as the filter's days are. */
export const momentText = (quando: string): string => moment.format(new Date(quando)).replace(',', '')
