import { contentFields, fieldLabels, type MedicalRecord, versionAuthorOf } from '@bi-manager/contract'
import { Button, Skeleton } from '@mantine/core'
import { IconChevronLeft } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { clockName, fullTime } from '../../lib/text/relative-time.ts'
import { AuthorName } from '../../ui/author-name.tsx'
import { ListFailure } from '../../ui/data-table/list-failure.tsx'
import { dialogContentFocusProps } from './dialog-focus.ts'
import classes from './medical-records.module.css'
import { versionsQuery } from './medical-records-queries.ts'
import { PaperNotice } from './print-sheet.tsx'
import { changesOf, type FieldChange, type VersionChanges } from './version-changes.ts'

interface RecordVersionsProps {
  record: MedicalRecord
  onBack: () => void
}

/** All versions, newest first, with author, time and the text before and after each change. */
export const RecordVersions = ({ record, onBack }: RecordVersionsProps) => {
  const { data, error, isFetching, refetch, hasNextPage, fetchNextPage } = useInfiniteQuery(
    versionsQuery(record.id, record.versao),
  )
  return (
    <div className={classes.record} {...dialogContentFocusProps}>
      <div>
        <h3 className={classes.name}>{record.nome_beneficiario}</h3>
        <p className={classes.whose}>
          Prontuário de {record.data_prontuario}. As horas são as do {clockName}.
        </p>
      </div>
      {data ? (
        <ol className={classes.versions} reversed start={record.versao}>
          {changesOf(data.pages.flat()).map((one, at) => (
            <Version key={one.version.versao} {...one} isCurrent={at === 0} />
          ))}
        </ol>
      ) : error ? (
        <ListFailure error={error} isFetching={isFetching} onRetry={() => void refetch()} />
      ) : (
        <div role="status" aria-label="Carregando as versões">
          <Skeleton height={20} width="60%" mb="sm" />
          <Skeleton height={90} mb="lg" />
          <Skeleton height={20} width="50%" mb="sm" />
          <Skeleton height={90} />
        </div>
      )}
      {data && error && (
        <ListFailure error={error} isFetching={isFetching} onRetry={() => void fetchNextPage()} />
      )}
      <div className={classes.buttons}>
        {hasNextPage && !error && (
          <Button variant="default" loading={isFetching} onClick={() => void fetchNextPage()}>
            Mostrar versões anteriores
          </Button>
        )}
        <Button variant="default" leftSection={<IconChevronLeft size={17} aria-hidden />} onClick={onBack}>
          Voltar ao prontuário
        </Button>
      </div>
      <PaperNotice />
    </div>
  )
}

const Version = ({ version, changes, isCurrent }: VersionChanges & { isCurrent: boolean }) => (
  <li className={classes.version}>
    <h4 className={classes.versionName}>
      <span>Versão {version.versao} </span>
      {isCurrent && <span className={classes.mark}>atual</span>}
      {!changes && <span className={classes.mark}>original</span>}
    </h4>
    <p className={classes.whose}>
      {changes ? 'Alterado' : 'Registrado'} por <AuthorName {...versionAuthorOf(version)} /> em{' '}
      {fullTime(version.em)}
    </p>
    {changes ? (
      <>
        {changes.map((change) => (
          <Change key={change.field} {...change} />
        ))}
        <p className={classes.same}>{sameText(changes)}</p>
      </>
    ) : (
      <dl className={classes.original}>
        {contentFields.map((field) => (
          <div key={field}>
            <dt>{fieldLabels[field]}</dt>
            <dd className={classes.text}>{version[field]}</dd>
          </div>
        ))}
      </dl>
    )}
  </li>
)

const Change = ({ field, before, after }: FieldChange) => (
  <div className={classes.change}>
    <h5 className={classes.changeName}>
      {fieldLabels[field]} <span className={classes.mark}>alterado</span>
    </h5>
    <dl className={classes.pair}>
      <div>
        <dt>Antes</dt>
        <dd className={classes.text}>{before}</dd>
      </div>
      <div>
        <dt>Depois</dt>
        <dd className={classes.text}>{after}</dd>
      </div>
    </dl>
  </div>
)

const sameText = (changes: FieldChange[]): string => {
  const same = contentFields.filter((field) => !changes.some((change) => change.field === field))
  if (same.length === contentFields.length) return 'Nenhum campo mudou.'
  return same.length === 0 ? '' : `Sem mudança: ${same.map((field) => fieldLabels[field]).join(', ')}.`
}
