import type { User } from '@bi-manager/contract'

export const statusNames: Record<User['situacao'], string> = {
  ATIVO: 'Ativo',
  PENDENTE: 'Pendente',
  BLOQUEADO: 'Bloqueado',
}
