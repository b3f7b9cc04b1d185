import { type AuditedName, entityOf } from '@bi-manager/contract'
import { dashboards } from '../../lib/navigation/dashboards.ts'
import { objectParts } from './audit-texts.ts'

/** Returns the path of an object's page; undefined without a page, and for deleted objects. */
export const objectPath = (objeto: string, name: AuditedName | undefined): string | undefined => {
  const { kind, id } = objectParts(objeto)
  if (kind === 'configuracao') return '/seguranca'
  if (!name?.existe) return undefined
  if (kind === 'pagina') return dashboards.find(({ rota }) => rota === id)?.path
  const form = entityOf(objeto)?.pages?.form
  return form && `${form}/${id}`
}
