/**
 * Returns the most common passwords of Portuguese speakers and the words they consist of: lower
 * case, without accents. Digits around a word are removed before the look-up, so `senha123` is not
 * listed.
 *
 * Sources: yearly rankings of leaked passwords for Brazil (NordPass, 2019 to 2025) and their
 * themes, default passwords of Brazilian carriers, football clubs of the first two divisions, first
 * names by IBGE (Censo 2010).
 */
export const portugueseCommonPasswords = (): string[] =>
  [words, clubs, names, calendar, keyboard, digits].flatMap((list) => list.trim().split(/\s+/))

const words = `
  senha senhas minhasenha senhanova novasenha senhaforte senhasegura senhapadrao senhasecreta suasenha asenha senhaa
  semsenha esqueciasenha naosei naoseiasenha naotem naotenho mudar mudarsenha mudeasenha trocar trocarsenha trocaasenha
  alterar alterarsenha mestre acesso acessar acessorestrito acessototal entrar entrada bemvindo bemvinda welcome login logar
  usuario usuaria user admin adm administrador administradora administracao root suporte sistema sistemas servidor gerente
  gerencia gestao gestor diretor diretoria chefe empresa trabalho escritorio financeiro contabil contabilidade vendas
  comercial compras cliente clientes fornecedor recepcao atendimento secretaria operador operadora equipe funcionario
  colaborador estagiario padrao provisoria temporaria primeiroacesso inicial teste testes testando testador tester demo
  demonstracao exemplo visitante convidado publico portal relatorio relatorios dados banco bancodedados internet
  computador informatica tecnologia celular telefone telefonica vivo claro embratel oifibra wifi roteador google
  gmail hotmail facebook instagram whatsapp youtube orkut windows microsoft android iphone samsung motorola

  saude plano planodesaude clinica hospital medico medica medicina enfermeira enfermeiro enfermagem farmacia odonto
  dentista unimed bradesco itau santander caixa nubank amil hapvida sulamerica seguro seguros seguradora beneficio
  beneficios convenio paciente

  deus deusefiel deuseamor deusepai deuspai deuseopai deusnocomando deusnocontrole meudeus deusmeama gracasadeus amodeus
  amojesus jesus jesuscristo jesusteama jesusteamo jesusmeama jesusesenhor jesusvive jesussalva jesuseosenhor cristo
  cristovive senhorjesus senhor espiritosanto nossasenhora aparecida fatima saojorge saopaulo santo santa anjo anjos
  igreja biblia oracao gloria aleluia amem fe paz bencao abencoado abencoada vitoria vitorioso milagre salmo salmos
  israel siao evangelho adoracao louvor gratidao

  amor amore amores amoreterno amoramor amormeu meuamor meusamores amorzinho amordaminhavida teamo teamomuito euteamo
  euamo euteamomuito amote vida minhavida vidaloca paixao coracao felicidade feliz alegria saudade esperanca amizade
  amigo amiga amigos amigas amado amada querida querido princesa princesinha principe gata gatinha gatinho gato linda
  lindo lindinha lindona gostosa gostoso delicia beijo beijos beijinho casamento casada casado solteira solteiro namorada
  namorado sorriso estrela estrelas estrelinha lua sol solzinho ceu borboleta flor flores florzinha rosa rosas margarida
  girassol violeta primavera arcoiris anjinho bebe bebezinho nenem
  mae pai papai mamae mamaepapai maepai painho mainha filho filha filhos filhas meusfilhos minhafilha meufilho meupai
  minhamae familia minhafamilia familiafeliz amominhafamilia irmao irma irmaos avo vovo vovozinha tia tio sobrinha
  sobrinho primo prima netos neta neto esposa esposo marido mulher homem menino menina crianca

  brasil brazil brasileiro brasileira brasilia meubrasil brasilhexa hexacampeao pentacampeao copadomundo selecao
  portugal lisboa angola riodejaneiro rio saopaulosp sampa bahia salvador recife fortaleza ceara natal manaus belem
  curitiba parana portoalegre gaucho florianopolis santacatarina minas minasgerais belohorizonte mineiro goias goiania
  amazonas pernambuco vitoriaes campinas santos copacabana carioca paulista paulistano nordeste terra mundo america
  liberdade ordemeprogresso independencia

  cachorro cachorrinho cachorra gatos passarinho cavalo tigre leao leoa lobo aguia dragao golfinho elefante macaco
  panda coelho urso ursinho peixe tubarao baleia pantera tigrao  toto mel nina bob thor luna meg pitbull rex
  chocolate morango banana abacaxi melancia cenoura batata feijao pizza cerveja cachaca cafe coca cocacola guarana
  brigadeiro sorvete pipoca azul vermelho amarelo verde preto branco roxo laranja dourado diamante ouro prata
  futebol bola goleiro campeao campeoes gol craque neymar pele ronaldo ronaldinho ronaldinhogaucho messi kaka
  ayrtonsenna senna formulaum skate surf surfista capoeira samba pagode sertanejo forro funk rock rockeiro reggae
  musica violao guitarra pandeiro carnaval festa praia piscina ferias viagem dinheiro rico milionario sorte sucesso
  poder forca guerreiro guerreira vencedor vencedora lutador campea rainha rei reis imperador soldado policia bombeiro
  professor professora estudante faculdade escola colegio matematica historia advogado advogada engenheiro direito
  segredo segredos secreto secreta misterio ninguem nada tudo qualquer qualquercoisa merda porra caralho foda fodase
  foda-se buceta putaria puta viado bosta cu idiota burro otario palhaco maluco maluca louco louca doido doida
  abracadabra abretesesamo turma galera mano parceiro moleque malandro vagabundo cabeca neguinha neguinho
  pretinha pretinho moreno morena loira loirinha baixinha gordinha gordinho fofinha fofinho fofa fofo
`

const clubs = `
  flamengo flamenguista mengao mengo nacaorubronegra corinthians coringao timao timaocampeao vaicorinthians gavioes palmeiras
  verdao porco palmeirense saopaulofc tricolor soberano santosfc peixao vasco vascodagama vascaino gigantedacolina
  fluminense fluzao botafogo fogao estrelasolitaria gremio gremista imortal imortaltricolor internacional colorado inter
  cruzeiro cabuloso raposa atletico atleticomineiro galo galodoido galomg bahiaec esquadrao vitoriaec leaodabarra
  sportrecife nautico santacruz fortalezaec cearasc vozao coritiba coxa athletico furacao paranaclube goiasec avai
  figueirense chapecoense joinville criciuma juventude bragantino redbull guarani pontepreta portuguesa saocaetano
  remo paysandu abc americamineiro cuiaba novorizontino mirassol operario londrina benfica sporting fcporto
`

const names = `
  maria ana mariana marina marcia marcela marcelo marcelinho marcos marco mario mauricio mateus matheus miguel monica
  jose joao joaopedro joaovitor joaogabriel antonio francisco francisca carlos paulo paula paulinho pedro pedrinho pedrohenrique
  lucas luiz luis luiza luisa luciana luciano lucia leticia leonardo leandro larissa lais laura lara lorena
  gabriel gabriela gabrielle gustavo guilherme geovana giovana giovanna gilberto gerson geraldo george
  rafael rafaela raquel regina renata renato ricardo roberta roberto rodrigo rogerio rosana rosangela ruan ryan
  daniel daniela danilo davi david debora denise diego diogo douglas eduardo eduarda edson elaine eliane elisangela
  fabiana fabio felipe filipe fernanda fernando flavia flavio henrique heitor helena heloisa hugo igor isabela isabella
  isabel isadora ivan jessica joana jorge julia juliana juliano julio junior juninho karina kaique kevin camila camile
  caio caique carla carol carolina caroline cassia celia cecilia cesar cintia claudia claudio cristiane cristina
  cristiano aline alessandra alessandro alex alexandra alexandre alice amanda anabeatriz anaclara anajulia anaclaudia
  anapaula analuiza andre andrea andreia angela antonia arthur artur adriana adriano beatriz bianca breno bruna bruno
  barbara bernardo natalia nathalia nicolas nicole natasha otavio patricia priscila rayssa sabrina samuel samara sandra
  sergio sandro sheila silvia simone sofia sophia sonia stefany suelen tatiana tatiane tereza thais thaisa thiago tiago
  valentina valeria vanessa vera vinicius vitor victor vitoriaregia viviane vivian wagner wallace wellington wesley
  william willian yasmin yago yuri silva santana oliveira souza pereira ferreira rodrigues almeida
`

const calendar = `
  verao outono inverno janeiro fevereiro marco abril maio junho julho agosto setembro outubro novembro dezembro
  segunda terca quarta quinta sexta sabado domingo segundafeira sextafeira feriado natal feliznatal anonovo felizanonovo
  reveillon pascoa aniversario meuaniversario hoje ontem amanha semana feliz
`

// Walks over the Brazilian keyboard that predictable-text.ts does not detect.
const keyboard = `
  qwerty qwertyuiop qwert qwer qwertz qweasd qweasdzxc qwe asdf asdfg asdfgh asdfghjk asdfghjkl asdfghjklc asd zxcvbn zxcvbnm
  zxcv zxc qazwsx qazwsxedc wsxedc qazxsw edcrfv poiuytrewq poiuy lkjhgfdsa lkjhg mnbvcxz mnbvc qpwoei qpalzm qwaszx
  asdqwe asdzxc zaqwsx zaqxsw adgjmptw aeiou abcdefgh abcde abcd abc
  1q2w3e4r 1q2w3e4r5t 1q2w3e 1q2w3e4r5t6y q1w2e3r4 q1w2e3r4t5 q1w2e3 1qaz2wsx 1qazxsw2 zaq12wsx zaq1xsw2 1a2b3c4d 1a2b3c
  a1b2c3d4 a1b2c3 abc123 abcd1234 gvt12345 gvt123 oi123456 net12345 a1s2d3f4 aa123456 a12345678 1qaz 2wsx q2w3e4r5 1234qwer qwer1234 asdf1234 zxcv1234
`

const digits = `
  102030 10203040 1020304050 123123123 147258369 147258 258369 369258147 159357 159753 753951 789456123 456789123 789456
  123654789 123654 321654987 321654 987654321 1231234 12341234 123454321 11223344 1122334455 112233 00112233 13579 1357924680
  246810 24681012 12121212 10101010 01020304 010203 987321 951753 852456 147852369 14725836 963852741 741852963 123789456
  321321321 20202020 30303030 55555555 19001900
`
