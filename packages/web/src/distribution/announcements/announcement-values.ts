import {
  ANNOUNCEMENT_PERIOD,
  type Announcement,
  type AnnouncementDraft,
  type Audience,
} from '@bi-manager/contract'
import { serverNow } from '../../lib/clock/server-clock.ts'
import type { WholeBody } from '../../ui/entity-form/field-values.ts'
import { instantOfTyped, typedOf } from '../../ui/instant-field/instant-text.ts'
import type { SelectOption } from '../../ui/search-select/select-options.ts'

const day = 86_400_000

const typedIn = (days: number): string => typedOf(new Date(serverNow() + days * day).toISOString())

/** The form's values; instants are in the format of instant-text.ts. */
export const valuesOf = (announcement: Announcement | undefined) => ({
  titulo: announcement?.titulo ?? '',
  texto: announcement?.texto ?? '',
  forma: announcement?.forma ?? ('FAIXA' as const),
  publico: announcement?.publico ?? ('TODOS' as const),
  idPerfis: (announcement?.perfis ?? []).map(
    ({ idPerfil, nomePerfil }): SelectOption => ({ value: idPerfil, label: nomePerfil }),
  ),
  inicio: announcement ? typedOf(announcement.inicio) : typedIn(0),
  fim: announcement ? typedOf(announcement.fim) : typedIn(ANNOUNCEMENT_PERIOD.usual),
  manutencao: announcement?.manutencao ?? false,
})
export type AnnouncementValues = ReturnType<typeof valuesOf>

/** Returns the request body. */
export const draftOf = ({
  idPerfis,
  inicio,
  fim,
  ...values
}: AnnouncementValues): WholeBody<AnnouncementDraft> => ({
  ...values,
  idPerfis: values.publico === 'PERFIS' ? idPerfis.map(({ value }) => value) : [],
  inicio: instantOfTyped(inicio) ?? '',
  fim: instantOfTyped(fim) ?? '',
})

export const audienceTexts: Record<Audience, string> = {
  TODOS: 'Todos',
  ADMINISTRADORES: 'Administradores',
  USUARIOS: 'Usuários',
  PERFIS: 'Membros de perfis',
}

export const formTexts: Record<Announcement['forma'], string> = { FAIXA: 'Faixa', SINO: 'Sino' }

export type AnnouncementState = 'NO_AR' | 'AGENDADO' | 'TERMINADO'

export const stateOf = ({ inicio, fim }: Pick<Announcement, 'inicio' | 'fim'>, now: number) => {
  if (now < Date.parse(inicio)) return 'AGENDADO'
  return now < Date.parse(fim) ? 'NO_AR' : 'TERMINADO'
}

/** Returns '3 de 10 (30%)'; without an audience '0 de 0'. */
export const readText = ({ lidos, destinatarios }: Pick<Announcement, 'lidos' | 'destinatarios'>): string => {
  const count = `${lidos.toLocaleString('pt-BR')} de ${destinatarios.toLocaleString('pt-BR')}`
  return destinatarios === 0 ? count : `${count} (${Math.floor((100 * lidos) / destinatarios)}%)`
}
