import { type Grant, grantsApi } from '@bi-manager/contract'
import { Button as PlainButton } from '@mantine/core'
import { IconCalendarTime } from '@tabler/icons-react'
import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../lib/api/api.ts'
import { serverNow } from '../../lib/api/connection.ts'
import { grantsKey, reasonsKey } from '../../lib/api/query-keys.ts'
import { useSubmission } from '../../lib/forms/use-submission.ts'
import { daysUntil } from '../../lib/text/relative-time.ts'
import { Button } from '../../ui/button.tsx'
import { DayField } from '../../ui/day-field/day-field.tsx'
import { textOfDay } from '../../ui/day-field/day-text.ts'
import dialog from '../../ui/dialog/dialog.module.css'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { Form } from '../../ui/form.tsx'
import type { ReportRef } from '../../ui/report-set/ticks.ts'
import shared from '../../ui/shared.module.css'
import classes from './grants.module.css'

const endsQuery = (idUsuario: number) =>
  queryOptions({
    queryKey: [...grantsKey, idUsuario, 'prazos'],
    queryFn: ({ signal }) => call(grantsApi.listOfUser, { params: { idUsuario } }, { signal }),
  })

/** Reads again what a change of a user's grants changes: their last days and the reasons of access. */
export const refreshEnds = (client: QueryClient, idUsuario: number): void => {
  void client.invalidateQueries({ queryKey: endsQuery(idUsuario).queryKey })
  void client.invalidateQueries({ queryKey: [...reasonsKey, idUsuario] })
}

interface GrantEndProps {
  idUsuario: number
  report: ReportRef
}

/** The last day of a saved grant, which is changed in a dialog of its own. */
export const GrantEnd = ({ idUsuario, report }: GrantEndProps) => {
  const [isOpen, setOpen] = useState(false)
  const { data: grant } = useQuery({
    ...endsQuery(idUsuario),
    select: (grants) => grants.find(({ idRelatorio }) => idRelatorio === report.idRelatorio),
  })
  if (!grant) return null
  const { text, isOver } = termOf(grant, serverNow())
  return (
    <span className={classes.end}>
      <PlainButton
        variant="subtle"
        color={isOver ? 'red' : 'gray'}
        size="compact-sm"
        aria-label={`Prazo de ${report.nomeRelatorio}: ${text}`}
        leftSection={<IconCalendarTime size={16} stroke={1.7} aria-hidden />}
        onClick={() => setOpen(true)}
      >
        {text}
      </PlainButton>
      <Dialog opened={isOpen} onClose={() => setOpen(false)} title="Prazo do acesso">
        <EndForm grant={grant} onClose={() => setOpen(false)} />
      </Dialog>
    </span>
  )
}

const termOf = ({ validoAte }: Grant, now: number): { text: string; isOver: boolean } => {
  if (validoAte === null) return { text: 'Sem prazo', isOver: false }
  const isOver = daysUntil(validoAte, now) < 0
  return { text: `${isOver ? 'Venceu em' : 'Até'} ${textOfDay(validoAte)}`, isOver }
}

const EndForm = ({ grant, onClose }: { grant: Grant; onClose: () => void }) => {
  const client = useQueryClient()
  const { idUsuario, idRelatorio, nomeRelatorio } = grant
  const [day, setDay] = useState(grant.validoAte ?? undefined)
  const [isWrong, setWrong] = useState(false)
  const saving = useSubmission(
    () => call(grantsApi.create, { body: { idUsuario, idRelatorio, validoAte: day ?? null } }),
    () => {
      refreshEnds(client, idUsuario)
      onClose()
    },
  )
  return (
    <Form onSubmit={() => !isWrong && saving.submit()} className={shared.stackLg}>
      <p className={shared.breakable}>
        <strong>{nomeRelatorio}</strong>
      </p>
      <DayField
        label="Último dia"
        value={day}
        error={saving.faults.validoAte}
        onWrong={setWrong}
        onChange={(next) => {
          saving.forget()
          setDay(next)
        }}
      />
      <p className={shared.note}>
        No fim deste dia, a permissão direta deixa de valer; a pessoa é avisada sete dias antes. Sem data, ela
        não vence.
      </p>
      <ErrorAlert error={saving.problem} />
      <div className={dialog.answers}>
        <Button variant="default" onClick={onClose} disabled={saving.isPending}>
          Cancelar
        </Button>
        <Button type="submit" loading={saving.isPending}>
          Gravar prazo
        </Button>
      </div>
    </Form>
  )
}
