import {
  type ChosenNotation,
  type ChosenPlace,
  type DataReplacement,
  type DataScale,
  type DataType,
  publishedReportsApi,
  publishingApi,
} from '@bi-manager/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../lib/api/api.ts'
import { useExclusiveMutation } from '../../lib/api/use-exclusive-mutation.ts'
import { assertSendable } from '../files/data-file.ts'
import { discardDrafts, useDiscardedDrafts } from '../files/discard-drafts.ts'

/** A file that the service keeps. `replaced`: names of older files that made room for it. */
interface Sent {
  file: File
  rascunho: string
  replaced: string[]
}

interface Choices {
  tipos: Record<string, DataType>
  escalas: Record<string, DataScale>
  /** The chosen sheet and heading. */
  place: ChosenPlace
  /** The chosen decimal mark and rows. */
  notation: ChosenNotation
}

interface Order {
  sent: Sent
  tabela: string
  choices: Choices
}

type CheckOrder = Order | (Omit<Order, 'sent'> & { file: File })

/** A check: what was asked, and what the service found. */
export interface Checked extends Order {
  result: DataReplacement
}

export type Question = DataReplacement['perguntas'][number]

const NO_CHOICES: Choices = { tipos: {}, escalas: {}, place: {}, notation: {} }

const bodyOf = ({ sent: { rascunho }, tabela, choices: { tipos, escalas, place, notation } }: Order) => ({
  rascunho,
  tabela,
  tipos,
  escalas,
  ...place,
  ...notation,
})

/** Sends a file, checks it against a table as often as choices change, and replaces the rows. */
export const useReplacement = (reportId: string) => {
  const client = useQueryClient()
  const params = { reportId }
  /** The last check that read the columns, or else the first one of the file. */
  const [checked, setChecked] = useState<Checked>()
  /** Answered ones too: an answer can be changed. */
  const [questions, setQuestions] = useState<Question[]>([])
  useDiscardedDrafts(checked ? [checked.sent.rascunho] : [])

  const check = useExclusiveMutation({
    mutationFn: async ({ tabela, choices, ...from }: CheckOrder): Promise<Checked> => {
      const sent = 'file' in from ? await sendFile(from.file) : from.sent
      const body = bodyOf({ sent, tabela, choices })
      const result = await call(publishedReportsApi.checkData, { params, body }).catch((error: unknown) => {
        if ('file' in from) discardDrafts([sent.rascunho])
        throw error
      })
      return { sent, tabela, choices, result }
    },
    onSuccess: (next) => {
      const { perguntas } = next.result
      // Types that do not fit are not kept: the columns stay as they were read before.
      setChecked((now) => (now && isUnread(next) && isSamePlace(now, next) ? now : next))
      setQuestions((now) => [
        ...now,
        ...perguntas.filter(({ nome }) => !now.some((one) => one.nome === nome)),
      ])
    },
  })
  const replacement = useExclusiveMutation({
    mutationFn: (order: Order) => call(publishedReportsApi.replaceData, { params, body: bodyOf(order) }),
    onSettled: () => client.invalidateQueries({ queryKey: ['publicacoes'] }),
  })

  const reset = () => {
    setChecked(undefined)
    setQuestions([])
    check.reset()
    replacement.reset()
  }
  const choose = (choices: Partial<Choices>) => {
    if (!checked) return
    replacement.reset()
    check.mutate({ ...checked, choices: { ...checked.choices, ...choices } })
  }
  const refused = check.data && check.data !== checked ? check.data.result.erros : []
  return {
    replaced: checked?.sent.replaced ?? [],
    checked,
    questions,
    /** Why the last choices were not kept. */
    refused,
    outcome: replacement.data,
    error: check.error ?? replacement.error,
    isChecking: check.isPending,
    isReplacing: replacement.isPending,
    reset,
    send: (file: File, tabela: string) => {
      reset()
      check.mutate({ file, tabela, choices: NO_CHOICES })
    },
    chooseType: (name: string, type: DataType) =>
      choose({ tipos: { ...checked?.choices.tipos, [name]: type } }),
    chooseScale: (name: string, scale: DataScale) =>
      choose({ escalas: { ...checked?.choices.escalas, [name]: scale } }),
    /** Another sheet or heading has other columns, with types and scales of their own. */
    choosePlace: (place: ChosenPlace) => {
      setQuestions([])
      choose({ ...NO_CHOICES, place, notation: checked?.choices.notation ?? {} })
    },
    chooseNotation: (notation: ChosenNotation) =>
      choose({ notation: { ...checked?.choices.notation, ...notation } }),
    replace: () => checked && replacement.mutate(checked),
  }
}

const isUnread = ({ result: { erros, colunas } }: Checked) => erros.length > 0 && colunas.length === 0

const isSamePlace = (one: Order, other: Order) => one.choices.place === other.choices.place

const sendFile = async (file: File): Promise<Sent> => {
  assertSendable(file)
  const { rascunho, apagados } = await call(publishingApi.send, { body: { nome: file.name }, file })
  return { file, rascunho, replaced: apagados }
}
