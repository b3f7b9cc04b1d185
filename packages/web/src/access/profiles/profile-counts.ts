import type { Profile } from '@bi-manager/contract'
import { counted } from '../../lib/text/counted.ts'

export const reportsText = ({ quantidadeRelatorios }: Pick<Profile, 'quantidadeRelatorios'>): string =>
  counted(quantidadeRelatorios, 'relatório', 'relatórios')

export const membersText = ({ quantidadeMembros }: Pick<Profile, 'quantidadeMembros'>): string =>
  counted(quantidadeMembros, 'membro', 'membros')

/** Returns a Portuguese sentence on who loses access when a profile is deleted. */
export const lossText = (profile: Pick<Profile, 'quantidadeMembros' | 'quantidadeRelatorios'>): string => {
  const { quantidadeMembros: members, quantidadeRelatorios: reports } = profile
  if (members === 0) return 'Este perfil não tem membros: ninguém perde acesso.'
  if (reports === 0)
    return `${counted(members, 'membro sai', 'membros saem')} deste perfil, que não libera nenhum relatório.`
  const what = reports === 1 ? 'o relatório que só ele liberava' : 'os relatórios que só ele liberava'
  return `${counted(members, 'membro deixa', 'membros deixam')} de ver ${what} (${reportsText(profile)} no perfil).`
}
