import type { AuditedName } from '@bi-manager/contract'
import { dashboards } from '../../lib/navigation/dashboards.ts'
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

/** Returns the path of an object's page; undefined without a page, and for deleted objects. */
export const objectPath = (objeto: string, name: AuditedName | undefined): string | undefined => {
  const { kind, id } = objectParts(objeto)
  return name?.existe || kind === 'configuracao' ? pages[kind]?.(id) : undefined
}
