import {
  type PanelChoice,
  type SubscribedVisual,
  type Subscription,
  SubscriptionDraft,
  type SubscriptionOptions,
} from '@bi-manager/contract'
import {
  type RecurrenceValues,
  recurrenceDraft,
  recurrenceValues,
} from '../../../ui/recurrence/recurrence-values.ts'
import type { SelectOption } from '../../../ui/search-select/select-options.ts'
import { checkedDraft } from '../../deliveries/checked-draft.ts'
import type { PartProps as FormPartProps } from '../../deliveries/delivery-form.tsx'
import { type Sending, sendingOf } from '../subscription-texts.ts'
import { chosenVisuals, mayChooseVisuals, visualOptions } from './visual-choice.ts'

/** The report as it is on the screen. */
export interface ScreenContent {
  /** The page's name at the provider; null when it does not say, and for paginated reports. */
  pagina: string | null
  tituloPagina: string | null
  /** The visuals of the page that have rows; undefined when the service does not say. */
  visuais?: SubscribedVisual[] | undefined
  filtros: PanelChoice
  marcador: string | null
  /** The selections in the visuals are too many to be stored. */
  isTooLong: boolean
}

/** 'TELA', 'GRAVADO', or the id of a saved view. */
export type ContentChoice = 'TELA' | 'GRAVADO' | number

export interface SubscriptionValues extends RecurrenceValues<Subscription['frequencia']> {
  conteudo: ContentChoice
  /** Whether the whole report is sent instead of the page; ignored with a saved view. */
  inteiro: boolean
  /** Names of the visuals of a spreadsheet; null: all of the page. */
  visuais: string[] | null
  parametros: string[]
  envio: Sending
  assunto: string
  nota: string
  pulaVazio: boolean
  pulaInalterado: boolean
  paraOutros: boolean
  pessoas: SelectOption[]
  perfis: SelectOption[]
}

export type PartProps = FormPartProps<SubscriptionValues>

interface NewSubscription {
  options: SubscriptionOptions
  nomeRelatorio: string
  /** Undefined outside of the viewer. */
  screen: ScreenContent | undefined
  parametros: string[]
}

/** Returns the values of a new subscription: every Monday, as it is on the screen. */
export const newValues = ({ options, nomeRelatorio, screen, parametros }: NewSubscription) =>
  ({
    conteudo: 'TELA',
    inteiro: (screen?.pagina ?? null) === null,
    visuais: null,
    parametros,
    envio: options.semAnexo === null ? (options.formatos[0] ?? 'LINK') : 'LINK',
    ...recurrenceValues({ frequencia: 'SEMANAL' }),
    assunto: nomeRelatorio.slice(0, 120).trim(),
    nota: '',
    pulaVazio: false,
    pulaInalterado: false,
    paraOutros: false,
    pessoas: [],
    perfis: [],
  }) satisfies SubscriptionValues as SubscriptionValues

export const valuesOf = (one: Subscription): SubscriptionValues => ({
  conteudo: one.idVisao ?? 'GRAVADO',
  inteiro: one.pagina === null,
  visuais: storedVisuals(one),
  parametros: one.parametros,
  envio: sendingOf(one),
  ...recurrenceValues(one),
  assunto: one.assunto,
  nota: one.nota ?? '',
  pulaVazio: one.pulaVazio,
  pulaInalterado: one.pulaInalterado,
  paraOutros: isForOthers(one),
  pessoas: one.pessoas.map(({ idUsuario, nomeUsuario }) => ({ value: idUsuario, label: nomeUsuario })),
  perfis: one.perfis.map(({ idPerfil, nomePerfil }) => ({ value: idPerfil, label: nomePerfil })),
})

/** Returns the visuals of a stored subscription as the form has them. */
export const storedVisuals = ({ visuais }: Pick<Subscription, 'visuais'>): string[] | null =>
  visuais.length > 0 ? visuais.map(({ nome }) => nome) : null

/** Whether a subscription has recipients besides its owner. */
const isForOthers = ({ pessoas, perfis, dono }: Subscription): boolean =>
  perfis.length > 0 || pessoas.some(({ idUsuario }) => idUsuario !== dono.idUsuario)

interface DraftInput {
  base: Subscription | undefined
  screen: ScreenContent | undefined
}

/** Returns the request body, and what is wrong with it by field. */
export const draftOf = (values: SubscriptionValues, { base, screen }: DraftInput) => {
  const { envio, paraOutros } = values
  const content = contentOf(values, { base, screen })
  const isChoice = mayChooseVisuals(values)
  const draft = {
    ...content,
    visuais: isChoice ? chosenVisuals(values.visuais, visualOptions(values, { base, screen })) : [],
    assunto: values.assunto,
    nota: values.nota.trim() === '' ? null : values.nota,
    parametros: values.parametros,
    // A link needs no file, but the contract requires a format.
    formato: envio === 'LINK' ? 'PDF' : envio,
    entrega: envio === 'LINK' ? 'LINK' : 'ANEXO',
    ...recurrenceDraft(values),
    pulaVazio: values.pulaVazio,
    pulaInalterado: values.pulaInalterado,
    ativa: base?.ativa ?? true,
    idPessoas: paraOutros ? values.pessoas.map(({ value }) => value) : [],
    idPerfis: paraOutros ? values.perfis.map(({ value }) => value) : [],
  }
  const checked = checkedDraft(SubscriptionDraft, draft)
  const { faults } = checked
  if (isChoice && values.visuais !== null && draft.visuais.length === 0)
    faults.visuais = 'Marque ao menos um visual.'
  if (paraOutros && draft.idPessoas.length + draft.idPerfis.length === 0)
    faults.idPessoas = 'Escolha ao menos uma pessoa ou um perfil.'
  return checked
}

const contentOf = ({ conteudo, inteiro }: SubscriptionValues, { base, screen }: DraftInput) => {
  if (typeof conteudo === 'number') {
    const stored = base?.idVisao === conteudo ? base : undefined
    return { idVisao: conteudo, tituloPagina: stored?.tituloPagina ?? null }
  }
  const from = conteudo === 'GRAVADO' ? base : screen
  return {
    idVisao: null,
    pagina: inteiro ? null : (from?.pagina ?? null),
    tituloPagina: inteiro ? null : (from?.tituloPagina?.slice(0, 200) ?? null),
    filtros: from?.filtros ?? {},
    marcador: from?.marcador ?? null,
  }
}
