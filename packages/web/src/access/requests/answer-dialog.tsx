import {
  ACCESS_REQUEST_LENGTH,
  type AccessRequest,
  type AccessRequestAnswer,
  ApiProblem,
  accessRequestsApi,
} from '@bi-manager/contract'
import { Alert, NativeSelect, Radio, Stack, Textarea } from '@mantine/core'
import '@mantine/core/styles/Radio.layer.css'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../lib/api/api.ts'
import { useSubmission } from '../../lib/forms/use-submission.ts'
import { Button } from '../../ui/button.tsx'
import { DayField } from '../../ui/day-field/day-field.tsx'
import dialog from '../../ui/dialog/dialog.module.css'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { useDialogTarget } from '../../ui/dialog/use-dialog-target.ts'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { OptionalLabel } from '../../ui/fields/optional-label.tsx'
import { Form } from '../../ui/form.tsx'
import { restoreFocusAfterDialog } from '../../ui/page-focus.ts'
import shared from '../../ui/shared.module.css'
import classes from './access-requests.module.css'
import { requestProfilesQuery } from './requests-queries.ts'

interface AnswerDialogProps {
  /** The open request; undefined closes the dialog. */
  request: AccessRequest | undefined
  onClose: () => void
  /** Called after the answer, or when another ADMIN has answered. */
  onAnswered: () => void
}

/** Grants the report, adds the person to a profile, or refuses with a message. */
export const AnswerDialog = ({ request, onClose, onAnswered }: AnswerDialogProps) => {
  const { shown, opening } = useDialogTarget(request)
  return (
    <Dialog
      opened={request !== undefined}
      onClose={onClose}
      onExitTransitionEnd={restoreFocusAfterDialog}
      title="Responder ao pedido"
      size="34rem"
    >
      {shown && <AnswerForm key={opening} request={shown} onClose={onClose} onAnswered={onAnswered} />}
    </Dialog>
  )
}

type Decision = AccessRequestAnswer['decisao']

const AnswerForm = ({ request, onClose, onAnswered }: AnswerDialogProps & { request: AccessRequest }) => {
  const { idPedido: id, idRelatorio, nomeUsuario, nomeRelatorio, nomeGrupo, motivo, jaTemAcesso } = request
  const hasReport = idRelatorio !== null
  const [decisao, setDecision] = useState<Decision>(hasReport ? 'LIBERADO' : 'RECUSADO')
  const [idPerfil, setProfile] = useState('')
  const [validoAte, setDay] = useState<string>()
  const [isWrong, setWrong] = useState(false)
  const [mensagem, setMessage] = useState('')
  const { data: profiles = [] } = useQuery({ ...requestProfilesQuery(id), enabled: hasReport })
  const answering = useSubmission(
    () => {
      const answers = {
        LIBERADO: { decisao: 'LIBERADO', validoAte: validoAte ?? null, mensagem },
        PERFIL: { decisao: 'PERFIL', idPerfil: idPerfil || String(profiles[0]?.idPerfil ?? ''), mensagem },
        RECUSADO: { decisao: 'RECUSADO', mensagem },
      } as const
      return call(accessRequestsApi.answer, { params: { id }, body: answers[decisao] }).catch(
        (error: unknown) => {
          if (isOver(error)) onAnswered()
          throw error
        },
      )
    },
    () => {
      onAnswered()
      onClose()
    },
  )
  const change = (apply: () => void) => {
    answering.forget()
    apply()
  }
  const isDone = isOver(answering.error)
  return (
    <Form onSubmit={() => !isWrong && answering.submit()} className={shared.stackLg}>
      <div className={shared.stackSm}>
        <p className={shared.breakable}>
          <strong>{nomeUsuario}</strong> pede acesso a{' '}
          <strong>{nomeRelatorio ?? 'um endereço sem relatório'}</strong>
          {nomeGrupo && ` (${nomeGrupo})`}.
        </p>
        <p className={`${shared.breakable} ${classes.answer}`}>{motivo}</p>
      </div>
      {!hasReport && (
        <Alert color="yellow">
          O link que a pessoa abriu não leva a nenhum relatório, ou o relatório foi excluído. Explique na
          resposta.
        </Alert>
      )}
      {jaTemAcesso && <Alert color="teal">Esta pessoa já pode abrir o relatório.</Alert>}
      {hasReport && (
        <Radio.Group
          label="Resposta"
          value={decisao}
          onChange={(next) => change(() => setDecision(next as Decision))}
        >
          <Stack gap="sm" mt="0.625rem">
            <Radio value="LIBERADO" label="Liberar o relatório" description="Só este, para esta pessoa." />
            <Radio
              value="PERFIL"
              label="Incluir num perfil"
              description={
                profiles.length === 0
                  ? 'Nenhum perfil tem este relatório.'
                  : 'A pessoa passa a ver todos os relatórios do perfil.'
              }
              disabled={profiles.length === 0}
            />
            <Radio value="RECUSADO" label="Recusar" />
          </Stack>
        </Radio.Group>
      )}
      {decisao === 'LIBERADO' && (
        <DayField
          label="Último dia"
          isOptional
          value={validoAte}
          error={answering.faults.validoAte}
          onWrong={setWrong}
          onChange={(day) => change(() => setDay(day))}
        />
      )}
      {decisao === 'PERFIL' && (
        <NativeSelect
          label="Perfil"
          data={profiles.map(({ idPerfil: value, nomePerfil, quantidadeRelatorios }) => ({
            value: String(value),
            label: `${nomePerfil} (${quantidadeRelatorios === 1 ? '1 relatório' : `${quantidadeRelatorios} relatórios`})`,
          }))}
          value={idPerfil}
          error={answering.faults.idPerfil}
          onChange={({ currentTarget: { value } }) => change(() => setProfile(value))}
        />
      )}
      <Textarea
        label={decisao === 'RECUSADO' ? 'Mensagem' : <OptionalLabel>Mensagem</OptionalLabel>}
        description="A pessoa a recebe pelo sino e por e-mail."
        autosize
        minRows={2}
        maxRows={6}
        maxLength={ACCESS_REQUEST_LENGTH.message}
        value={mensagem}
        error={answering.faults.mensagem}
        onChange={({ currentTarget: { value } }) => change(() => setMessage(value))}
      />
      <ErrorAlert error={answering.problem} />
      <div className={dialog.answers}>
        <Button variant="default" onClick={onClose} disabled={answering.isPending}>
          {isDone ? 'Fechar' : 'Cancelar'}
        </Button>
        {!isDone && (
          <Button
            type="submit"
            color={decisao === 'RECUSADO' ? 'red' : undefined}
            loading={answering.isPending}
          >
            {decisao === 'RECUSADO' ? 'Recusar' : 'Liberar'}
          </Button>
        )}
      </div>
    </Form>
  )
}

/** Another ADMIN has answered, or the request is gone. */
const isOver = (error: unknown): boolean =>
  error instanceof ApiProblem && (error.status === 404 || error.codigo === 'pedido_ja_respondido')
