import type { AuditedName } from '@bi-manager/contract'
import { dashboards } from '../../lib/dashboards.ts'
import { objectParts } from './audit-texts.ts'

const pages: Record<string, (id: string) => string | undefined> = {
  usuario: (id) => `/cadastrar-usuario/${id}`,
  relatorio: (id) => `/RegisterworkspaceRelatorios/${id}`,
  workspace: (id) => `/Registerworkspace/${id}`,
  powerbi: (id) => `/Registerpowerbi/${id}`,
  perfil: (id) => `/permissao-relatorio/${id}`,
  pagina: (id) => dashboards.find(({ rota }) => rota === id)?.path,
  configuracao: () => '/seguranca',
}

/** Where an object is looked at and edited; undefined where there is no such page, and for what is gone. */
export const objectPath = (objeto: string, name: AuditedName | undefined): string | undefined => {
  const { kind, id } = objectParts(objeto)
  return name?.existe || kind === 'configuracao' ? pages[kind]?.(id) : undefined
}
