import { ApiProblem, MISSING, type SavedView, savedViewsApi } from '@bi-manager/contract'
import '@mantine/core/styles/Checkbox.layer.css'
import { Checkbox, Group, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { call } from '../../lib/api/api.ts'
import { useExclusiveMutation } from '../../lib/api/use-exclusive-mutation.ts'
import { Button } from '../../ui/button.tsx'
import { Form } from '../../ui/form.tsx'
import shared from '../../ui/shared.module.css'
import type { ViewedReport } from '../viewer/opening/use-report.ts'
import { callFailureSentence } from '../viewer/problems/embed-problem.ts'
import classes from './saved-views.module.css'
import { savedViewsQuery } from './saved-views-query.ts'

interface SavedViewFormProps {
  idRelatorio: number
  /** The view to rename; if absent, a new view is saved from the result of `capture`. */
  view?: SavedView
  capture?: ViewedReport['capture']
  onSaved: (view: SavedView, isTooLong: boolean) => void
  onCancel: () => void
}

/** Saves a new view under a name, or renames one. */
export const SavedViewForm = ({ idRelatorio, view, capture, onSaved, onCancel }: SavedViewFormProps) => {
  const client = useQueryClient()
  const [nome, setNome] = useState(view?.nome ?? '')
  const [padrao, setPadrao] = useState(false)
  const [isMissing, setMissing] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.select(), [])

  const send = async (): Promise<[saved: SavedView, isTooLong: boolean]> => {
    if (view) {
      const params = { id: idRelatorio, idVisao: view.idVisao }
      return [await call(savedViewsApi.update, { params, body: { nome } }, { ifMatch: view.versao }), false]
    }
    if (!capture) throw new Error('O relatório ainda não abriu.')
    const { isTooLong, ...content } = await capture()
    const body = { nome, padrao, ...content }
    return [await call(savedViewsApi.create, { params: { id: idRelatorio }, body }), isTooLong]
  }

  const saving = useExclusiveMutation({
    mutationFn: async () => {
      const answer = await send()
      await client.invalidateQueries(savedViewsQuery(idRelatorio))
      return answer
    },
    onSuccess: ([saved, isTooLong]) => onSaved(saved, isTooLong),
    onError: () => field.current?.focus(),
  })

  const submit = () => {
    setMissing(!nome.trim())
    if (nome.trim()) saving.mutate()
    else field.current?.focus()
  }

  return (
    <Form className={`${shared.stackSm} ${classes.form}`} onSubmit={submit} autoComplete="off">
      <TextInput
        ref={field}
        label="Nome da visão"
        data-autofocus
        maxLength={80}
        value={nome}
        error={isMissing ? MISSING : saving.error && faultOf(saving.error)}
        onChange={(event) => {
          setNome(event.currentTarget.value)
          setMissing(false)
          if (saving.error) saving.reset()
        }}
      />
      {!view && (
        <Checkbox
          label="Abrir o relatório com esta visão"
          checked={padrao}
          onChange={(event) => setPadrao(event.currentTarget.checked)}
        />
      )}
      <Group grow gap="xs">
        <Button type="button" size="sm" variant="default" onClick={onCancel}>
          Cancelar
        </Button>
        {/* `aria-disabled` instead of `disabled`, which would move the focus out of the panel. */}
        <Button type="submit" size="sm" aria-disabled={saving.isPending}>
          {saving.isPending ? 'Salvando…' : 'Salvar'}
        </Button>
      </Group>
    </Form>
  )
}

const faultOf = (error: Error): string =>
  (error instanceof ApiProblem && error.campos.nome) || callFailureSentence(error)
