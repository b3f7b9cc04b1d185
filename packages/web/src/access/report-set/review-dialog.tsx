import { Alert, Box, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import dialog from '../../ui/dialog/dialog.module.css'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { useDialogTarget } from '../../ui/dialog/use-dialog-target.ts'
import { focusOnMount } from '../../ui/page-focus.ts'
import shared from '../../ui/shared.module.css'
import { type ChangeItem, ChangeLists } from './change-lists.tsx'
import { faultOf } from './fault.ts'
import {
  type Changes,
  changesBetween,
  changesOf,
  countOf,
  isChanged,
  overrideWithMine,
  type ReportRef,
  rebaseMarks,
} from './ticks.ts'
import type { Review, SetSave } from './use-set-save.ts'

export interface ReviewTexts {
  /** Title above the summary: 'Salvar as permissões de Ana?' */
  question: string
  /** Title when another user has saved in the meantime. */
  conflict: string
  /** Shown when nothing would remain ticked. */
  none: string
}

interface ReviewDialogProps {
  saving: SetSave
  texts: ReviewTexts
  /** Returns the name of a report's workspace, for sets that span several. */
  workspaceOf?: ((report: ReportRef) => string | undefined) | undefined
  /** A hint about a report that would be removed. */
  removedHint?: ((report: ReportRef) => ReactNode) | undefined
}

/** Shows what a save will do, or what another user has saved since. Stays open while saving. */
export const ReviewDialog = (props: ReviewDialogProps) => {
  const { review, closeReview, isSaving } = props.saving
  const { shown } = useDialogTarget(review)
  return (
    <Dialog
      opened={review !== undefined}
      onClose={() => !isSaving && closeReview()}
      title={shown?.kind === 'conflict' ? props.texts.conflict : props.texts.question}
      size="36rem"
    >
      {shown?.kind === 'summary' && <Summary {...props} review={shown} />}
      {shown?.kind === 'conflict' && <Conflict {...props} review={shown} />}
    </Dialog>
  )
}

const reports = (count: number) =>
  count === 1 ? '1 relatório' : `${count.toLocaleString('pt-BR')} relatórios`
const willDo = {
  added: (count: number) => `Libera ${reports(count)}`,
  removed: (count: number) => `Retira ${reports(count)}`,
}
const didMeanwhile = {
  added: (count: number) => `Liberou ${reports(count)}`,
  removed: (count: number) => `Retirou ${reports(count)}`,
}

type PropsOf<K extends Review['kind']> = ReviewDialogProps & { review: Extract<Review, { kind: K }> }

const Summary = ({ saving, texts, workspaceOf, removedHint, review: { mine } }: PropsOf<'summary'>) => (
  <>
    <ChangeLists headings={willDo} {...changeItems(changesOf(mine), { workspaceOf, removedHint })} />
    {countOf(mine) === 0 && (
      <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />} mt="md">
        {texts.none}
      </Alert>
    )}
    <Failure error={saving.error} />
    <div className={dialog.answers}>
      <Button variant="default" disabled={saving.isSaving} onClick={saving.closeReview}>
        Voltar
      </Button>
      <Button
        color={countOf(mine) === 0 ? 'red' : undefined}
        loading={saving.isSaving}
        onClick={() => saving.confirm(mine)}
        data-autofocus
      >
        {saving.error ? 'Tentar novamente' : 'Confirmar'}
      </Button>
    </div>
  </>
)

const Conflict = ({ saving, workspaceOf, review: { mine, current } }: PropsOf<'conflict'>) => {
  // The user's changes on top of what the other user saved.
  const rebased = rebaseMarks(mine, current)
  const items = (changes: Changes) => changeItems(changes, { workspaceOf })
  return (
    <>
      {/* Focuses a text, not a button: a second press of Enter must not choose. */}
      <Text size="sm" tabIndex={-1} ref={focusOnMount}>
        Nada foi gravado ainda, e nada do que você marcou se perdeu.
      </Text>
      <Box component="h3" className={shared.note} mt="1.25rem" mb={8}>
        A outra pessoa
      </Box>
      <ChangeLists headings={didMeanwhile} {...items(changesBetween(mine.base, current))} />
      {isChanged(rebased) ? (
        <>
          <Box component="h3" className={shared.note} mt="1.25rem" mb={8}>
            Você
          </Box>
          <ChangeLists headings={willDo} {...items(changesOf(rebased))} />
        </>
      ) : (
        <Text size="sm" mt="md">
          As suas alterações já estão feitas: não há nada a salvar.
        </Text>
      )}
      <Failure error={saving.error} />
      <div className={dialog.answers}>
        {isChanged(rebased) && (
          <>
            <Button
              loading={saving.isSaving}
              onClick={() => saving.confirm(rebased)}
              style={{ flexBasis: '100%' }}
            >
              Juntar as duas alterações
            </Button>
            <Button
              variant="default"
              disabled={saving.isSaving}
              onClick={() => saving.confirm(overrideWithMine(mine, current))}
            >
              Manter só as minhas
            </Button>
          </>
        )}
        <Button variant="default" disabled={saving.isSaving} onClick={() => saving.adopt(current)}>
          {isChanged(rebased) ? 'Descartar as minhas' : 'Continuar'}
        </Button>
      </div>
    </>
  )
}

const Failure = ({ error }: { error: unknown }) =>
  error ? (
    <Alert color="red" role="alert" mt="md">
      Nada foi salvo, e suas marcas continuam aqui. {faultOf(error)}
    </Alert>
  ) : null

type Hints = Pick<ReviewDialogProps, 'workspaceOf' | 'removedHint'>

const changeItems = (
  { added, removed }: Changes,
  { workspaceOf, removedHint }: Hints,
): { added: ChangeItem[]; removed: ChangeItem[] } => {
  const item = (report: ReportRef): ChangeItem => ({
    key: report.idRelatorio,
    name: report.nomeRelatorio,
    detail: workspaceOf?.(report),
  })
  return {
    added: added.map(item),
    removed: removed.map((report) => ({ ...item(report), hint: removedHint?.(report) })),
  }
}
