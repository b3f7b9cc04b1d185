import { PdfPasswordDraft, pdfPasswordApi } from '@bi-manager/contract'
import { Group, Skeleton } from '@mantine/core'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../lib/api/api.ts'
import { useSubmission } from '../../lib/forms/use-submission.ts'
import { Button } from '../../ui/button.tsx'
import { ListFailure } from '../../ui/data-table/list-failure.tsx'
import { SUCCESS_MS } from '../../ui/dialog/use-success-close.ts'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { SecretField } from '../../ui/fields/secret-field.tsx'
import { Form } from '../../ui/form.tsx'
import shared from '../../ui/shared.module.css'
import { useMessageFor } from '../../ui/use-message-for.ts'
import classes from './own-account.module.css'

const pdfPasswordQuery = queryOptions({
  queryKey: ['senha-dos-pdfs'],
  queryFn: ({ signal }) => call(pdfPasswordApi.get, {}, { signal }),
  staleTime: 0,
})

/** The password with which the person's PDFs of subscriptions are encrypted. */
export const PdfPassword = () => {
  const { data, error, isFetching, refetch } = useQuery(pdfPasswordQuery)
  return (
    <section className={`${shared.panel} ${shared.stackMd}`} aria-labelledby="senha-dos-pdfs">
      <div>
        <h2 id="senha-dos-pdfs" className={shared.heading}>
          Senha dos PDFs
        </h2>
        <p className={shared.smallNote}>
          {data?.definida
            ? 'Os PDFs que você recebe por e-mail abrem só com a senha que você definiu. Imagens e planilhas viram um link.'
            : 'Opcional: os PDFs que você recebe por e-mail passam a abrir só com esta senha. Imagens e planilhas viram um link.'}
        </p>
      </div>
      {data ? (
        <PasswordForm isSet={data.definida} />
      ) : error ? (
        <ListFailure error={error} isFetching={isFetching} onRetry={() => void refetch()} />
      ) : (
        <Skeleton height={64} />
      )}
    </section>
  )
}

const PasswordForm = ({ isSet }: { isSet: boolean }) => {
  const client = useQueryClient()
  const [typed, setTyped] = useState('')
  const [isSubmitted, setSubmitted] = useState(false)
  const [message, setMessage] = useState('')
  const [isShown, show] = useMessageFor(SUCCESS_MS)
  const validated = PdfPasswordDraft.safeParse({ senha: typed })
  const finish = (definida: boolean, text: string) => {
    client.setQueryData(pdfPasswordQuery.queryKey, { definida })
    setTyped('')
    setSubmitted(false)
    setMessage(text)
    show()
  }
  const saving = useSubmission(
    () => call(pdfPasswordApi.set, { body: { senha: typed } }),
    () => finish(true, 'Senha dos PDFs definida!'),
  )
  const removing = useSubmission(
    () => call(pdfPasswordApi.remove),
    () => finish(false, 'Senha dos PDFs retirada.'),
  )
  const fault = isSubmitted && !validated.success ? validated.error.issues[0]?.message : undefined
  return (
    <Form
      className={`${shared.stackMd} ${classes.form}`}
      aria-label="Senha dos PDFs"
      onSubmit={() => {
        setSubmitted(true)
        removing.forget()
        if (validated.success) saving.submit()
      }}
    >
      <SecretField
        label={isSet ? 'Nova senha dos PDFs' : 'Senha dos PDFs'}
        name="senhaPdf"
        description="De 8 a 100 caracteres, sem acentos. Não use a senha do portal."
        autoComplete="off"
        maxLength={100}
        value={typed}
        onChange={(next) => {
          saving.forget()
          setTyped(next ?? '')
        }}
        error={saving.faults.senha ?? fault}
      />
      <ErrorAlert error={saving.problem ?? removing.problem} />
      <Group gap="0.625rem">
        <Button type="submit" loading={saving.isPending} disabled={typed === ''}>
          {isSet ? 'Trocar' : 'Definir'}
        </Button>
        {isSet && (
          <Button variant="default" loading={removing.isPending} onClick={removing.submit}>
            Retirar a senha
          </Button>
        )}
        <span role="status">{isShown && message}</span>
      </Group>
    </Form>
  )
}
