import { type MemberPerson, type Profile, type ProfileMember, profilesApi } from '@bi-manager/contract'
import { Alert, Badge, Box, CloseButton, Group } from '@mantine/core'
import { IconArrowBackUp, IconUserMinus, IconUserPlus, IconUsersPlus } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { call, messageOf } from '../../lib/api/api.ts'
import { usersKey } from '../../lib/api/query-keys.ts'
import { useExclusiveMutation } from '../../lib/api/use-exclusive-mutation.ts'
import { useLimitedList } from '../../lib/lists/use-first.ts'
import { useList } from '../../lib/lists/use-list.ts'
import { counted } from '../../lib/text/counted.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { Button } from '../../ui/button.tsx'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { RowAction } from '../../ui/data-table/row-action.tsx'
import { LastDay } from '../../ui/day-field/last-day.tsx'
import dialog from '../../ui/dialog/dialog.module.css'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { useDialogTarget } from '../../ui/dialog/use-dialog-target.ts'
import { LeaveDialog } from '../../ui/entity-form/leave-dialog.tsx'
import { SearchSelect } from '../../ui/search-select/search-select.tsx'
import type { SelectOption } from '../../ui/search-select/select-options.ts'
import { searchUsers } from '../../ui/search-select/user-options.ts'
import shared from '../../ui/shared.module.css'
import { ChangeLists } from '../report-set/change-lists.tsx'
import { faultOf } from '../report-set/fault.ts'
import { RestoredMarks } from '../report-set/restored-marks.tsx'
import { SaveBar } from '../report-set/save-bar.tsx'
import { AddMembersDialog } from './add-members-dialog.tsx'
import { countOf, type MemberMarks, useMemberMarks } from './members.ts'
import classes from './profiles.module.css'
import { isMember, membersKey, refreshProfiles } from './profiles-queries.ts'

/** The members of a profile; changes are marked one by one and saved together. */
export const ProfileMembers = ({ profile: { idPerfil: id, nomePerfil } }: { profile: Profile }) => {
  const client = useQueryClient()
  const { marks, isRestored, join, joinAll, dontJoin, leave, stay, clear, settle } = useMemberMarks()
  const [isReviewing, setReviewing] = useState(false)
  const [isChoosing, setChoosing] = useState(false)
  const [done, setDone] = useState<string>()
  const list = useList({
    queryKey: membersKey(id),
    endpoint: profilesApi.listMembers,
    params: { id },
    fields: ['nomeUsuario', 'emailUsuario'],
  })
  const saving = useExclusiveMutation({
    mutationFn: ({ joining, leaving }: MemberMarks) =>
      call(profilesApi.changeMembers, {
        params: { id },
        body: { adicionar: [...joining.keys()], remover: [...leaving.keys()] },
      }),
    onSuccess: (_, sent) => {
      setDone(doneText(sent.joining.size, sent.leaving.size))
      setReviewing(false)
      settle(sent)
      refreshProfiles(client)
    },
    onError: () => setReviewing(true),
  })
  const count = countOf(marks)
  /** 'Salvar' was pressed: saves, or shows first who would lose the profile's reports. */
  const start = () => {
    if (count === 0) setDone('Nada a salvar: nenhum membro mudou.')
    else if (marks.leaving.size > 0) setReviewing(true)
    else saving.mutate(marks)
  }

  const mark = (change: (member: MemberPerson) => void) => (member: MemberPerson) => {
    setDone(undefined)
    change(member)
  }

  return (
    <section className={`${shared.panelWithBar} ${shared.stackMd}`} aria-labelledby="membros-do-perfil">
      <h2 id="membros-do-perfil" className={shared.heading}>
        Membros deste perfil
      </h2>
      {isRestored && <RestoredMarks />}
      <AddMember id={id} marks={marks} onAdd={mark(join)}>
        <ActionButton
          icon={IconUsersPlus}
          label="Acrescentar várias pessoas"
          onClick={() => setChoosing(true)}
        />
      </AddMember>
      <AddMembersDialog
        idPerfil={id}
        opened={isChoosing}
        joining={marks.joining}
        onAdd={(members) => {
          setDone(undefined)
          joinAll(members)
        }}
        onClose={() => setChoosing(false)}
      />
      <JoiningMembers members={[...marks.joining.values()]} onRemove={mark(dontJoin)} />
      <DataTable
        list={list}
        label="Membros"
        searchLabel="Buscar membro"
        columns={[
          {
            label: 'Nome do usuário',
            sort: 'nomeUsuario',
            isName: true,
            render: ({ nomeUsuario }) => nomeUsuario,
            detail: ({ idUsuario }) =>
              marks.leaving.has(idUsuario) && (
                <Badge color="red" variant="light" fw={600}>
                  sai ao salvar
                </Badge>
              ),
          },
          { label: 'E-mail', sort: 'emailUsuario', render: ({ emailUsuario }) => emailUsuario },
          { label: 'Prazo', width: '11rem', render: (member) => <MemberEnd id={id} member={member} /> },
        ]}
        rowKey={({ idUsuario }) => idUsuario}
        actions={(member) =>
          marks.leaving.has(member.idUsuario) ? (
            <RowAction
              icon={IconArrowBackUp}
              label="Manter"
              of={member.nomeUsuario}
              onClick={() => mark(stay)(member)}
            />
          ) : (
            <RowAction
              icon={IconUserMinus}
              color="red"
              label="Retirar"
              of={member.nomeUsuario}
              onClick={() => mark(leave)(member)}
            />
          )
        }
        empty={{ text: 'Este perfil ainda não tem membros. Pesquise um usuário acima para acrescentar.' }}
      />
      <SaveBar
        count={count}
        done={done}
        isSaving={saving.isPending && !isReviewing}
        onSave={start}
        onDiscard={clear}
      />
      <MembersDialog
        opened={isReviewing}
        nomePerfil={nomePerfil}
        marks={marks}
        isSaving={saving.isPending}
        error={saving.error}
        onConfirm={() => saving.mutate(marks)}
        onClose={() => {
          setReviewing(false)
          saving.reset()
        }}
      />
      <LeaveDialog isDirty={count > 0} ignoresSearch />
    </section>
  )
}

/** The last day of a member, which is saved at once. */
const MemberEnd = ({ id, member }: { id: number; member: ProfileMember }) => {
  const client = useQueryClient()
  const { idUsuario, nomeUsuario, validoAte: before } = member
  return (
    <LastDay
      name={nomeUsuario}
      day={before}
      title="Prazo no perfil"
      note="No fim deste dia, a pessoa deixa de ver o que só este perfil libera, e é avisada sete dias antes. Sem data, a participação não vence."
      save={(validoAte) =>
        call(profilesApi.changeMembers, {
          params: { id },
          body: { adicionar: [], remover: [], prazos: [{ idUsuario, validoAte }] },
        })
      }
      onSaved={() => refreshProfiles(client)}
    />
  )
}

const doneText = (joined: number, left: number): string => {
  const parts = [
    joined > 0 && counted(joined, 'pessoa entrou', 'pessoas entraram'),
    left > 0 && counted(left, 'saiu', 'saíram'),
  ].filter(Boolean)
  return `Membros salvos! ${parts.join(', ')}.`
}

interface JoiningMembersProps {
  members: MemberPerson[]
  onRemove: (member: MemberPerson) => void
}

/** Names shown at first: the list of members follows below. */
const CHIPS = 12

/** Users marked to join, who appear in the member list only after saving. */
const JoiningMembers = ({ members, onRemove }: JoiningMembersProps) => {
  const { shown, hidden, showMore } = useLimitedList(members, CHIPS)
  if (members.length === 0) return null
  return (
    <Box p="0.875rem 1rem" bdrs="md" className={shared.active}>
      <Group component="h3" gap="0.5rem" mb="0.5rem" fz="md">
        <IconUserPlus size={18} stroke={1.8} aria-hidden />
        Entram ao salvar{members.length > 1 && ` (${members.length.toLocaleString('pt-BR')})`}
      </Group>
      <ul className={shared.chips}>
        {shown.map((member) => (
          <li key={member.idUsuario} className={`${shared.chip} ${shared.surface}`}>
            <span className={shared.breakable}>
              {member.nomeUsuario}
              <span className={shared.detail}>{member.emailUsuario}</span>
            </span>
            <CloseButton
              size="md"
              aria-label={`Não acrescentar ${member.nomeUsuario}`}
              onClick={() => onRemove(member)}
            />
          </li>
        ))}
      </ul>
      {hidden > 0 && (
        <Button variant="subtle" size="xs" mt={6} onClick={showMore}>
          Mostrar mais {hidden.toLocaleString('pt-BR')}
        </Button>
      )}
    </Box>
  )
}

interface MembersDialogProps {
  opened: boolean
  nomePerfil: string
  marks: MemberMarks
  isSaving: boolean
  error: unknown
  onConfirm: () => void
  onClose: () => void
}

const headings = {
  added: (count: number) => counted(count, 'pessoa entra', 'pessoas entram'),
  removed: (count: number) => counted(count, 'pessoa sai', 'pessoas saem'),
}

/** Confirms who joins and leaves. There is no version conflict: both changes are idempotent. */
const MembersDialog = ({ opened, nomePerfil, marks, isSaving, error, ...on }: MembersDialogProps) => {
  const { shown = marks } = useDialogTarget(opened ? marks : undefined)
  return (
    <Dialog
      opened={opened}
      onClose={() => !isSaving && on.onClose()}
      title={`Salvar os membros do perfil ${nomePerfil}?`}
      size="36rem"
    >
      <ChangeLists headings={headings} added={itemsOf(shown.joining)} removed={itemsOf(shown.leaving)} />
      {!!error && (
        <Alert color="red" role="alert" mt="md">
          Nada foi salvo, e suas marcas continuam aqui. {faultOf(error)}
        </Alert>
      )}
      <div className={dialog.answers}>
        <Button variant="default" disabled={isSaving} onClick={on.onClose}>
          Voltar
        </Button>
        <Button loading={isSaving} onClick={on.onConfirm} data-autofocus>
          {error ? 'Tentar novamente' : 'Confirmar'}
        </Button>
      </div>
    </Dialog>
  )
}

const itemsOf = (members: ReadonlyMap<number, MemberPerson>) =>
  [...members.values()].map(({ idUsuario, nomeUsuario, emailUsuario }) => ({
    key: idUsuario,
    name: nomeUsuario,
    detail: emailUsuario,
  }))

interface AddMemberProps {
  id: number
  marks: MemberMarks
  onAdd: (member: MemberPerson) => void
  /** Another way to add members, next to the field. */
  children: ReactNode
}

/** Finds a user and marks them to join; reports users who are already members. */
const AddMember = ({ id, marks, onAdd, children }: AddMemberProps) => {
  const adding = useExclusiveMutation({
    mutationFn: async ({ value, label }: SelectOption): Promise<boolean> =>
      marks.joining.has(value) || (await isMember(id, value, label)),
    onSuccess: (isIn, { value, label, description }) => {
      if (!isIn) onAdd({ idUsuario: value, nomeUsuario: label, emailUsuario: description ?? '' })
    },
  })
  const field = useRef<HTMLInputElement>(null)
  const { isPending } = adding
  const wasPending = useRef(false)
  // Restore the focus, which the field lost while it was disabled.
  useEffect(() => {
    if (wasPending.current && !isPending && document.activeElement === document.body) field.current?.focus()
    wasPending.current = isPending
  }, [isPending])
  const said = adding.data
    ? `${adding.variables?.label} já participa deste perfil.`
    : adding.data === false && `${adding.variables?.label} entra ao salvar.`
  return (
    <div className={classes.add}>
      <div className={classes.addRow}>
        <SearchSelect
          label="Acrescentar usuário"
          placeholder="Pesquisar usuário..."
          emptyText="Sem resultados para essa pesquisa"
          queryKey={usersKey}
          search={searchUsers}
          ref={field}
          disabled={isPending}
          value={null}
          error={adding.error ? messageOf(adding.error) : undefined}
          onChange={(option) => option && adding.mutate(option)}
        />
        {children}
      </div>
      <p role="status" className={adding.data ? shared.note : shared.screenReaderOnly}>
        {said}
      </p>
    </div>
  )
}
