import { type Profile, type ProfileMember, profilesApi } from '@bi-manager/contract'
import { Badge } from '@mantine/core'
import { IconArrowBackUp, IconUserMinus } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../lib/api/api.ts'
import { useList } from '../../lib/lists/use-list.ts'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { RowAction } from '../../ui/data-table/row-action.tsx'
import { LeaveDialog } from '../../ui/record-form/leave-dialog.tsx'
import { RestoredMarks } from '../../ui/report-set/restored-marks.tsx'
import { SaveBar } from '../../ui/report-set/save-bar.tsx'
import shared from '../../ui/shared.module.css'
import { AddMember } from './add-member.tsx'
import { JoiningMembers } from './joining-members.tsx'
import { countOf, useMemberMarks } from './members.ts'
import { MembersDialog } from './members-dialog.tsx'
import { counted } from './profile-counts.ts'
import classes from './profiles.module.css'
import { membersKey, refreshProfiles } from './profiles-queries.ts'

/** The members of a profile; changes are marked one by one and saved together. */
export const ProfileMembers = ({ profile: { idPerfil: id, nomePerfil } }: { profile: Profile }) => {
  const client = useQueryClient()
  const { marks, isRestored, join, dontJoin, leave, stay, clear } = useMemberMarks()
  const [isReviewing, setReviewing] = useState(false)
  const [done, setDone] = useState<string>()
  const list = useList({
    queryKey: membersKey(id),
    endpoint: profilesApi.listMembers,
    params: { id },
    fields: ['nomeUsuario', 'emailUsuario'],
  })
  const saving = useMutation({
    mutationFn: () =>
      call(profilesApi.changeMembers, {
        params: { id },
        body: { adicionar: [...marks.joining.keys()], remover: [...marks.leaving.keys()] },
      }),
    networkMode: 'always',
    onSuccess: () => {
      setDone(doneText(marks.joining.size, marks.leaving.size))
      setReviewing(false)
      clear()
      refreshProfiles(client)
    },
  })
  const count = countOf(marks)

  const mark = (change: (member: ProfileMember) => void) => (member: ProfileMember) => {
    setDone(undefined)
    change(member)
  }

  return (
    <section className={classes.section} aria-labelledby="membros-do-perfil">
      <h2 id="membros-do-perfil" className={shared.heading}>
        Membros deste perfil
      </h2>
      {isRestored && <RestoredMarks />}
      <AddMember id={id} marks={marks} onAdd={mark(join)} />
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
            render: ({ idUsuario, nomeUsuario }) => (
              <span className={classes.member}>
                {nomeUsuario}
                {marks.leaving.has(idUsuario) && (
                  <Badge color="red" variant="light" tt="none" fw={600}>
                    sai ao salvar
                  </Badge>
                )}
              </span>
            ),
          },
          { label: 'E-mail', sort: 'emailUsuario', render: ({ emailUsuario }) => emailUsuario },
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
        isSaving={false}
        onSave={() => (count > 0 ? setReviewing(true) : setDone('Nada a salvar: nenhum membro mudou.'))}
        onDiscard={clear}
      />
      <MembersDialog
        opened={isReviewing}
        nomePerfil={nomePerfil}
        marks={marks}
        isSaving={saving.isPending}
        error={saving.error}
        onConfirm={() => saving.mutate()}
        onClose={() => {
          setReviewing(false)
          saving.reset()
        }}
      />
      <LeaveDialog isDirty={count > 0} ignoresSearch />
    </section>
  )
}

const doneText = (joined: number, left: number): string => {
  const parts = [
    joined > 0 && counted(joined, 'pessoa entrou', 'pessoas entraram'),
    left > 0 && counted(left, 'saiu', 'saíram'),
  ].filter(Boolean)
  return `Membros salvos! ${parts.join(', ')}.`
}
