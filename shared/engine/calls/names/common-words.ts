/** Everyday words of names that are one letter from another such word: `node` is no slip of `mode`, nor `data` of `date`. */
export const commonWords = `
age ago angle area array base bank batch band beat bill bit black blank block board boat body bold bond bonus book boot
border bound box branch brand bread break brick bridge brief buffer build bulk button byte cable cache call camp card
care cargo cart case cash cast cell chain chance change channel chapter charge chart chat check choice claim class clean
clear click client clip clock clone close cloud club coach coast code coin color column comment company compare content
contest context contract control cook copy core corner cost couch count country county couple course court cover crate
credit crew crop cross crowd cube curve cycle dairy data date deal debit debt deck delay delta demand demo depth desk
diet digit dish disk dose dot draft drain draw dress drink drive drop dry due dump edge eight email empty end engine
entry even event exact exam exit face fact fair fall farm fast fat father fax fear feature fee feed field fight file fill
film filter final find fine fire firm first fish fit five fix flag flat flight float flood floor flow flush folder font
food foot force fork form format former forum four frame free front fuel full fund gain game gap gas gate gear gender
genre gift girl glass goal gold good grade grain grant graph grid group guard guest guide hall hand hard hash head heat
height hire hit hold holder holiday home hook horse host hotel hour house human index inner input issue item join joint
judge jump junior kernel label lake land lane lang large last late laser lawyer layer lead leaf league lease leave left
legal length letter level light like limit line link lion list load loan local lock log login logo long loop loss lot
love low lower lunch machine mail main major male manager map mark market mask mass master match material matrix mayor
meal mean meat media meter method metric middle mile mind minor mint mirror mission mix mobile mode model modem module
money monitor month mood mount mouse move music name nation native need nest net new news next night nine node noise
north note number object offer office older open option orange order organ origin outer owner pace pack page paid pair
panel paper parent park part party pass past patch patent path pattern pause peak peer period person phase phone photo
phrase piece pilot pin pipe pitch place plain plan plane plant plate play player plot plus point policy pool port pose
position post pound power press price pride prime print prior prize profile project proof proxy pulse push query queue
quick quota quote race rack radio radius rain range rank rate ratio reach read reader ready reason recipe record red
region relay render rent repo report request reset resort result resume return reverse review rice ride right ring rise
risk river road role roll room root rope rose rotation round route router row rule run sail salad salary sale salt same
sample sand save scale scene school scope score screen script seal search season seat second sector seed self sender
senior sense series serve server service session set seven shade shape share sheet shelf shell shift ship shirt shoe shop
short show side sign signal silver site six size skill skin slide slope slot small snow soil solution song sort sound
source south space span speed spell spin split sport spot spring stack staff stage stair stake stamp standard star start
state station status step stick stock stone stop store storm story street string style suit suite sum sun supply surface
sweet swim switch symbol system table tail tank tape target task taste tax team tempo tender term test text theme then
thread three ticket tide tile time timer tip title token tone tool top topic total tour tower town track trade traffic
trail train trait trash travel tray tree trend trial trim trip truck trunk trust tube tune turn twin type unit until
update upload urban user vale value valve van vector vendor venue version video view virtue vision visit voice volume vote
wage wait walk wall war ware wash waste watch water wave weak wear week weight well west wheel width wife wild wind
window wine wing winner wire wish word work world yard year yield zone zoom
`
