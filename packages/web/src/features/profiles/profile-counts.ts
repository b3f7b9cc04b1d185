import type { Profile } from '@bi-manager/contract'

const number = new Intl.NumberFormat('pt-BR')

/** Returns '1.234'. */
export const grouped = (count: number): string => number.format(count)

export const counted = (count: number, singular: string, plural: string): string =>
  `${number.format(count)} ${count === 1 ? singular : plural}`

export const reportsText = ({ quantidadeRelatorios }: Pick<Profile, 'quantidadeRelatorios'>): string =>
  counted(quantidadeRelatorios, 'relatório', 'relatórios')

export const membersText = ({ quantidadeMembros }: Pick<Profile, 'quantidadeMembros'>): string =>
  counted(quantidadeMembros, 'membro', 'membros')

/** Returns a Portuguese sentence on who loses access when a profile is deleted. */
export const lossText = (profile: Pick<Profile, 'quantidadeMembros' | 'quantidadeRelatorios'>): string => {
  const { quantidadeMembros: members, quantidadeRelatorios: reports } = profile
  if (members === 0) return 'Este perfil não tem membros: ninguém perde acesso.'
  if (reports === 0) return `${membersOut(members)} deste perfil, que não libera nenhum relatório.`
  const what = reports === 1 ? 'o relatório que só ele liberava' : 'os relatórios que só ele liberava'
  return `${members === 1 ? '1 membro deixa' : `${number.format(members)} membros deixam`} de ver ${what} (${reportsText(profile)} no perfil).`
}

const membersOut = (count: number): string =>
  count === 1 ? '1 membro sai' : `${number.format(count)} membros saem`
