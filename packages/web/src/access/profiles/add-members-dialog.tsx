import { MEMBERS_AT_ONCE, type MemberPerson } from '@bi-manager/contract'
import { Button, Modal, SegmentedControl } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { Activity, useState } from 'react'
import { counted } from '../../lib/text/counted.ts'
import dialog from '../../ui/dialog/dialog.module.css'
import shared from '../../ui/shared.module.css'
import { CandidateSearch } from './candidate-search.tsx'
import { EmailPaste } from './email-paste.tsx'
import { useMemberChoice } from './member-choice.ts'

interface AddMembersDialogProps {
  idPerfil: number
  opened: boolean
  /** Users who were chosen before, and whom the next save of the profile adds. */
  joining: ReadonlyMap<number, MemberPerson>
  onAdd: (members: MemberPerson[]) => void
  onClose: () => void
}

/** Chooses many users at once, by search or from a pasted list. */
export const AddMembersDialog = ({ opened, onClose, ...rest }: AddMembersDialogProps) => {
  const isPhone = useMediaQuery('(max-width: 63.99em)', undefined, { getInitialValueInEffect: false })
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title="Acrescentar várias pessoas"
      size="44rem"
      fullScreen={isPhone ?? false}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': 'Fechar a escolha' }}
    >
      <Choice onClose={onClose} {...rest} />
    </Modal>
  )
}

type Source = 'busca' | 'lista'

const Choice = ({ idPerfil, joining, onAdd, onClose }: Omit<AddMembersDialogProps, 'opened'>) => {
  const [source, setSource] = useState<Source>('busca')
  const choice = useMemberChoice(joining)
  const { chosen } = choice
  const isTooMany = joining.size + chosen.size > MEMBERS_AT_ONCE
  const add = () => {
    onAdd([...chosen.values()])
    onClose()
  }
  return (
    <div className={shared.stackMd}>
      <SegmentedControl
        fullWidth
        aria-label="Como escolher"
        value={source}
        onChange={(next) => setSource(next as Source)}
        data={[
          { value: 'busca', label: 'Pesquisar' },
          { value: 'lista', label: 'Colar e-mails' },
        ]}
      />
      {/* Both stay mounted: each keeps its text and its results. */}
      <Activity mode={source === 'busca' ? 'visible' : 'hidden'}>
        <CandidateSearch idPerfil={idPerfil} choice={choice} />
      </Activity>
      <Activity mode={source === 'lista' ? 'visible' : 'hidden'}>
        <EmailPaste idPerfil={idPerfil} choice={choice} />
      </Activity>
      <div className={`${shared.spread} ${dialog.footer}`}>
        <p role="status" className={isTooMany ? shared.fieldWarning : shared.note}>
          {isTooMany
            ? `No máximo ${MEMBERS_AT_ONCE.toLocaleString('pt-BR')} pessoas de uma vez.`
            : counted(chosen.size, 'pessoa escolhida', 'pessoas escolhidas')}
        </p>
        <div className={shared.buttons}>
          <Button variant="default" onClick={onClose}>
            Cancelar
          </Button>
          <Button disabled={chosen.size === 0 || isTooMany} onClick={add}>
            Acrescentar
          </Button>
        </div>
      </div>
    </div>
  )
}
