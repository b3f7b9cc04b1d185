import type { SavedView, Subscription, SubscriptionOptions } from '@bi-manager/contract'
import { Input, NativeSelect, SegmentedControl, Stack, TextInput } from '@mantine/core'
import shared from '../../../ui/shared.module.css'
import classes from '../../deliveries/delivery.module.css'
import { FormPart } from '../../deliveries/delivery-form.tsx'
import { filtersText, sendingOf } from '../subscription-texts.ts'
import { SendingField } from './sending-field.tsx'
import {
  type ContentChoice,
  type PartProps,
  type ScreenContent,
  storedVisuals,
} from './subscription-values.ts'
import { mayChooseVisuals, visualOptions } from './visual-choice.ts'
import { VisualsField } from './visuals-field.tsx'

interface ContentFieldsProps extends PartProps {
  base: Subscription | undefined
  screen: ScreenContent | undefined
  isPaginated: boolean
  options: SubscriptionOptions
  /** The saved views that may be chosen. */
  views: SavedView[]
}

/** What is sent, and how the e-mail has it. */
export const ContentFields = (props: ContentFieldsProps) => {
  const { values, set, faults, base, screen, isPaginated, options } = props
  const choices = choicesOf(props)
  const isView = typeof values.conteudo === 'number'
  const from = values.conteudo === 'GRAVADO' ? base : screen
  const isChoice = choices.length > 1
  return (
    <>
      <FormPart title="O que enviar">
        {!isPaginated && (
          <div className={shared.columns}>
            {isChoice && (
              <NativeSelect
                label="Conteúdo"
                name="conteudo"
                data={choices}
                value={String(values.conteudo)}
                error={faults.idVisao}
                onChange={({ currentTarget: { value } }) => {
                  const visuais = value === 'GRAVADO' && base ? storedVisuals(base) : null
                  set({ conteudo: choiceOf(value), visuais })
                }}
              />
            )}
            {!isView && (
              <Input.Wrapper label="Páginas" labelElement="div" error={faults.pagina}>
                <SegmentedControl
                  fullWidth
                  aria-label="Páginas"
                  data={[
                    { value: 'pagina', label: pageLabel(from), disabled: (from?.pagina ?? null) === null },
                    { value: 'inteiro', label: 'Relatório inteiro', disabled: values.envio === 'PNG' },
                  ]}
                  value={values.inteiro ? 'inteiro' : 'pagina'}
                  onChange={(value) => set({ inteiro: value === 'inteiro' })}
                />
              </Input.Wrapper>
            )}
          </div>
        )}
        {!isPaginated && (
          <p className={classes.hint}>
            {!isChoice && choices[0] && `${choices[0].label}. `}
            {contentHint(values.conteudo, from)}
          </p>
        )}
        {values.parametros.length > 0 && (
          <Stack gap="xs">
            {values.parametros.map((parameter, index) => {
              const name = parameter.slice(0, parameter.indexOf('='))
              return (
                <TextInput
                  // Names repeat, and the order does not change.
                  // biome-ignore lint/suspicious/noArrayIndexKey: as above
                  key={index}
                  label={name}
                  maxLength={1000}
                  value={parameter.slice(name.length + 1)}
                  error={index === 0 && faults.parametros}
                  onChange={({ currentTarget: { value } }) =>
                    set({ parametros: values.parametros.with(index, `${name}=${value}`) })
                  }
                />
              )
            })}
          </Stack>
        )}
      </FormPart>
      <div className={classes.part}>
        <SendingField
          value={values.envio}
          choices={['LINK', ...options.formatos]}
          isAnswering={options.servicoResponde}
          stored={base && sendingOf(base)}
          reason={options.semAnexo}
          anexoMb={options.anexoMb}
          error={faults.entrega ?? faults.formato}
          onChange={(envio) =>
            set({ envio, ...(envio === 'PNG' && (from?.pagina ?? null) !== null ? { inteiro: false } : {}) })
          }
        />
        {!isPaginated && mayChooseVisuals(values) && (
          <VisualsField
            options={visualOptions(values, { base, screen })}
            isOnScreen={values.conteudo === 'TELA'}
            value={values.visuais}
            error={faults.visuais}
            onChange={(visuais) => set({ visuais })}
          />
        )}
      </div>
    </>
  )
}

const pageLabel = (from: Pick<ScreenContent, 'tituloPagina'> | undefined): string =>
  from?.tituloPagina && from.tituloPagina.length <= 24 ? from.tituloPagina : 'Esta página'

const choicesOf = ({ base, screen, views }: ContentFieldsProps) => {
  const stored = base?.idVisao ?? null
  return [
    ...(base && stored === null ? [{ value: 'GRAVADO', label: 'Como foi assinado' }] : []),
    ...(screen ? [{ value: 'TELA', label: 'Como está agora na tela' }] : []),
    ...(stored !== null && !views.some(({ idVisao }) => idVisao === stored)
      ? [{ value: String(stored), label: `Visão “${base?.nomeVisao ?? ''}”` }]
      : []),
    ...views.map(({ idVisao, nome }) => ({ value: String(idVisao), label: `Visão “${nome}”` })),
  ]
}

const choiceOf = (value: string): ContentChoice =>
  value === 'TELA' || value === 'GRAVADO' ? value : Number(value)

const contentHint = (choice: ContentChoice, from: Partial<ScreenContent> | undefined): string => {
  if (typeof choice === 'number')
    return 'Cada envio usa a página, os filtros e as seleções que a visão tem na hora.'
  const filters = filtersText(from?.filtros ?? {})
  const picks = from?.marcador ? 'as seleções feitas nos visuais' : ''
  const lost = from?.isTooLong ? ' As seleções nos visuais são muitas para guardar e ficam de fora.' : ''
  if (!filters) return `${picks ? `Com ${picks}, sem filtros do painel.` : 'Sem filtros do painel.'}${lost}`
  return `Com os filtros ${filters}${picks ? ` e ${picks}` : ''}.${lost}`
}
