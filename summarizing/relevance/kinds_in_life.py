"""People, groups, places, events and times: what a town, a family or a history is told in. Tables, to be read as summarizing/relevance/kinds.py says; refuses everything but words."""

# --- Questions ------------------------------------------------------------------------------------------

_QUESTIONS = """
who whom whose wer wen wem qui quien
= person name

when wann quand cuándo
= date time

where wo woher wohin dónde
= place

much many wieviel combien cuánto cuánta
= number money quantity

often oft häufigkeit häufigkeiten frequency souvent fréquence frecuencia
    hourly daily weekly monthly quarterly yearly annually biweekly nightly täglich wöchentlich monatlich
    jährlich quotidien hebdomadaire mensuel annuel diario semanal mensual anual
= duration

long duration length lange dauer durée duración
    minutes hours weeks months fortnight minuten stunden wochen monate heures semaines minutos horas semanas
    meses
= duration
"""

# --- People ---------------------------------------------------------------------------------------------

_PEOPLE = """
people person character npc figure individual inhabitant resident citizen personen leute bewohner einwohner
figuren personne personnage habitant gens personas personaje gente
    woman boy girl farmer miller baker butcher smith blacksmith merchant fisherman hunter priest monk knight
    soldier servant widow orphan beggar thief peasant nobleman sailor tailor weaver potter carpenter mason
    shepherd innkeeper bauer müller bäcker schmied händler fischer jäger priester ritter witwe paysan meunier
    boulanger forgeron marchand pêcheur prêtre veuve campesino molinero panadero herrero pescador viuda
= person name

leader ruler chief head chair governor monarch sovereign leadership anführer herrscher oberhaupt leiter chef
dirigeant souverain líder jefe gobernante
    king queen emperor empress prince princess duke duchess count earl baron lord chieftain captain commander
    president chancellor mayor regent sultan tsar pharaoh abbot bishop pope director chairman chairwoman
    chairperson headmaster rules reigns commands presides könig königin kaiser fürst herzog graf
    bürgermeister präsident kanzler vorsitzende roi reine empereur maire rey reina emperador alcalde

role office position occupation profession rank function title amt ämter beruf rolle rollen funktion
funktionen stelle stellen titel titeln posten métier fonction poste titre cargo puesto profesión oficio
función título
    secretary treasurer clerk manager director chairman deputy assistant officer inspector engineer architect
    consultant analyst accountant lawyer solicitor judge notary teacher professor lecturer nurse doctor
    physician surgeon pharmacist electrician plumber driver pilot cook waiter librarian archivist editor
    journalist designer developer technician steward warden bailiff chamberlain herald marshal quartermaster
    appointed promoted schriftführer kassenwart geschäftsführer sekretär ingenieur arzt anwalt richter lehrer
    secrétaire trésorier médecin avocat juge secretario tesorero médico abogado juez cobbler carpenter
    blacksmith butcher baker tailor mason farmer fisherman miller shepherd dentist optician veterinarian
    midwife barber hairdresser chef bartender cashier salesman receptionist translator interpreter
    firefighter policeman detective postman gardener janitor welder mechanic locksmith tischler bäcker
    metzger zahnarzt menuisier boulanger carpintero panadero dentista

family relative relation kinship parent child sibling spouse genealogy ancestry familie familien verwandte
eltern kinder geschwister vorfahren famille enfants familia pariente padres hijos
    father mother daughter brother sister uncle aunt cousin nephew niece grandfather grandmother grandson
    granddaughter husband wife widow widower twin stepmother stepfather heir ancestor descendant married
    marriage betrothed divorced adopted vater mutter sohn tochter bruder schwester onkel tante ehemann
    ehefrau verheiratet père mère fils frère sœur oncle mari épouse madre hija hermano hermana esposo esposa
= person name

biography life birth death born vita lebenslauf leben geburt tod biographie vie naissance mort biografía vida
nacimiento muerte
    died buried baptised baptized childhood married graduated emigrated retired aged deceased funeral grave
    geboren gestorben starb begraben verstorben née décédé enterré nació murió falleció enterrado
= date person place

employee staff team colleague personnel workforce crew worker mitarbeiter belegschaft belegschaften
angestellte kollegen employé équipe salarié empleado plantilla equipo trabajador
    hired joined recruit intern apprentice trainee foreman supervisor freelancer contractor technician
    operator headcount onboarding shift payroll lehrling praktikant azubi stagiaire apprenti aprendiz becario
= person name

participant attendee attendance guest teilnehmer anwesende gäste présents assistance invités asistentes
invitados
    attended absent apologies excused chaired quorum delegate visitor speaker panelist entschuldigt abwesend
    ausentes
= person name

author writer creator contributor editor byline autor verfasser schriftsteller auteur écrivain rédacteur
escritor redactor
    wrote written penned coauthor contributed maintainer committer translated translator edited illustrated
    illustrator composed novelist poet playwright essayist columnist screenwriter biographer geschrieben
    verfasst écrit traduit escrito traducido
= person name

artist musician performer künstler musiker musicien artista músico
    painter sculptor singer pianist violinist guitarist drummer composer conductor dancer actor actress
    comedian photographer rapper soprano tenor cellist organist maler sänger schauspieler komponist peintre
    chanteur acteur pintor cantante
= person name

expert scientist researcher scholar inventor wissenschaftler forscher erfinder fachleute chercheur
scientifique savant inventeur científico investigador
    professor physicist chemist biologist astronomer mathematician historian geologist botanist economist
    philosopher engineer discovered invented patented discoverer physiker chemiker astronom physicien
    chimiste físico químico
= person name

politician minister senator deputy politiker abgeordnete ministre politique député político diputado ministro
    parliamentarian congressman congresswoman councillor councilor lawmaker legislator ambassador mayor
    chancellor incumbent candidate bundestag landtag stadtrat bürgermeister sénateur maire concejal alcalde
= person name

owner proprietor holder eigentümer inhaber besitzer propriétaire détenteur propietario dueño titular
    belongs landlord shareholder stakeholder freehold leasehold bought inherited acquired gehört besitzt
    appartient possède pertenece posee
= person name

responsible assignee responsibility accountable zuständig verantwortlich zuständigkeit zuständigkeiten
responsable responsabilité encargado responsabilidad
    assigned owner tasked delegated oversees supervises zugewiesen übernimmt betreut chargé asignado
= person name

contact ansprechpartner kontakt kontaktdaten coordonnées contacto
    phone telephone fax email mail hotline helpdesk extension reception switchboard telefon mobil rückfragen
    courriel standard teléfono correo
= email phone url person

name namen bezeichnung bezeichnungen nom nombre denominación
    named nicknamed alias surname genannt nommé surnommé appelé llamado apodado
= person name

victim casualty death toll dead injury opfer tote verletzte morts blessés víctimas muertos heridos
    killed died perished drowned wounded injured missing fatalities survivors fallen getötet ertrunken
    umgekommen vermisst tué noyé disparu ahogado fallecido desaparecido
= number

enemy rival opponent adversary foe antagonist feind gegner rivalen ennemi adversaire enemigo adversario
    villain feud hostile hatred nemesis betrayed traitor vendetta grudge hates feindschaft verfeindet
    verräter hostilité traître traidor
= name

friend ally companion alliance relationship freund verbündeter verbündete bündnis beziehung beziehungen ami
allié relation amigo aliado relación
    friendship befriended trusts loyal confidant treaty pact comrade lover mentor befreundet amitié alianza
    amistad

hero protagonist celebrity held heldin héroïne heroína
    champion saviour savior rescuer legend legendary saved rescued brave courage famous berühmt célèbre
    famoso
"""

# --- Groups ---------------------------------------------------------------------------------------------

_GROUPS = """
organization organisation institution body association agency organisationen verein verband behörde behörden
einrichtung einrichtungen établissement institución organización asociación entidad
    club society foundation institute federation union charity ngo council committee board commission bureau
    ministry department authority cooperative consortium trust university academy church chamber gesellschaft
    stiftung gewerkschaft ausschuss kammer ministerium bundesamt genossenschaft syndicat fondation ministère
    mairie fundación sindicato ministerio ayuntamiento choir orchestra monastery thinktank guild nonprofit
    alliance lodge
= name

faction group guild clan order tribe allegiance membership fraktion fraktionen gruppe gruppen zunft gilde
gilden bund stamm confrérie tribu facción grupo gremio
    brotherhood sisterhood covenant cult league syndicate gang band horde coven circle house dynasty legion
    conspiracy sect cartel militia rebels members sworn bruderschaft kult mitglied mitglieder ligue membre
    hermandad secta liga miembro
= name

company business firm corporation enterprise vendor manufacturer supplier unternehmen firma betrieb
hersteller lieferant konzern entreprise société fabricant fournisseur empresa compañía proveedor
    gmbh inc ltd llc plc startup subsidiary conglomerate holding brewery bakery factory foundry mill bank
    insurer retailer wholesaler distributor publisher shipyard airline tochtergesellschaft brauerei fabrik
    filiale usine brasserie banque fábrica banco
= name

department division unit team abteilung abteilungen bereich referat service département departamento
    accounting procurement purchasing logistics marketing sales legal compliance facilities helpdesk
    engineering buchhaltung einkauf vertrieb verwaltung comptabilité achats ventes contabilidad compras
    ventas

party politics parliament government partei parteien politik parlament regierung regierungen parti politique
gouvernement partido política gobierno
    coalition opposition cabinet senate congress republican democrat conservative socialist liberal labour
    greens legislature majority minority koalition bundesrat kabinett majorité congreso senado coalición

military army force navy troops armee militär heer truppen streitkräfte militaire troupes ejército tropas
    regiment battalion brigade division squadron fleet infantry cavalry artillery garrison platoon legion
    soldiers militia guards archers knights warship frigate destroyer submarine bataillon flotte infanterie
    regimiento batallón flota

customer client buyer user subscriber kunde kunden käufer nutzer anwender acheteur utilisateur comprador
usuario
    account subscription purchaser consumer patron shopper tenant signup registered churn bestellte abonnent
    abonné suscriptor
= name

population demographics inhabitants residents bevölkerung einwohnerzahl habitants población demografía
    census households density citizens immigrants emigrants natives volkszählung einwohner haushalte
    recensement ménages censo hogares
= number

religion religionen god deity faith church belief cult gott götter gottheit gottheiten glaube kirche kirchen
dieu divinité église dios divinidad iglesia
    goddess temple shrine altar priest priestess prayer worship saint prophet prophecy bishop monastery abbey
    sacred holy blessed divine pantheon heaven mosque synagogue cathedral göttin tempel heilige kloster gebet
    déesse sanctuaire prière diosa templo santuario oración santo

race people nation ethnicity species volk völker rasse ethnie peuple raza pueblo etnia
    human elf elves dwarf dwarves orc goblin halfling gnome giant troll undead tribe nomads natives
    indigenous settlers mensch elfen zwerge orks elfe nain humano elfo enano

class profession archetype klasse klassen clase
    warrior mage wizard sorcerer warlock rogue cleric paladin ranger druid bard monk barbarian necromancer
    hunter priest shaman archer krieger magier schurke guerrier magicien guerrero mago
"""

# --- Places ---------------------------------------------------------------------------------------------

_PLACES = """
place location zone area region settlement town city site landmark ort orten orte ortschaft ortschaften
gebiet stadt lage lieu endroit ville lieux lugar zona ciudad pueblo
    village hamlet district quarter borough county province island peninsula valley mountain hill forest
    river lake coast harbour harbor port marsh desert plain plateau canyon north south east west located
    situated dorf bezirk insel berg hügel wald fluss küste hafen gelegen norden süden osten westen île vallée
    montagne colline forêt rivière situé aldea isla valle montaña colina bosque río puerto situado
= place name

building structure architecture monument gebäude gebäuden bauwerk bauten bâtiment édifice ouvrage edificio
construcción monumento
    house castle tower church cathedral chapel temple bridge mill barn inn tavern palace fortress manor hall
    library museum school hospital station warehouse factory lighthouse townhall gate wall ruin cottage villa
    skyscraper stadium theatre theater haus burg schloss turm kirche kapelle brücke mühle rathaus bahnhof
    maison château église pont moulin mairie gare casa castillo torre iglesia puente molino ayuntamiento
    estación windmill watermill shed stable hut cabin granary monastery abbey pier dock obelisk pyramid
    scheune stall hütte grange cabane granero establo

room space interior floor raum zimmer stockwerk pièce salle étage habitación sala planta
    kitchen bedroom bathroom cellar attic basement corridor hallway lobby storeroom pantry dormitory chamber
    auditorium lounge balcony staircase upstairs downstairs küche keller dachboden flur cuisine cave grenier
    couloir cocina sótano pasillo
= code

address adresse adressen anschrift dirección
    street avenue road lane boulevard square alley postcode zip floor apartment straße postleitzahl rue
    chemin avenida plaza paseo
= place email

country state nation land länder staat staaten país nación estado
    kingdom republic empire colony federation germany france spain italy england britain scotland ireland
    russia china japan india usa america canada brazil austria switzerland poland netherlands portugal greece
    turkey egypt deutschland frankreich spanien österreich schweiz allemagne espagne suisse alemania francia
    españa
= place

route path way directions journey road weg strecke strecken anfahrt trajet itinéraire chemin ruta camino
recorrido trayecto
    highway motorway junction crossing crossroads detour trail pass ford bridge via bypass exit turnoff
    footpath autobahn kreuzung abzweigung umleitung carrefour déviation sentier autopista cruce desvío
    sendero
= place quantity

border neighbour boundary territory grenze grenzen nachbar gebiet frontière voisin territoire frontera vecino
territorio
    adjoining adjacent neighboring borderland enclave grenzt angrenzend limitrophe bordea limítrofe

geography landscape terrain geographie landschaft landschaften paysage relief geografía paisaje
    mountain river lake valley hill forest coast sea bay cape cliff glacier delta estuary plateau summit peak
    slope elevation altitude gulf strait swamp meadow heath moor gebirge gipfel fluss bucht sommet fleuve lac
    vallée cumbre lago bahía

water river lake sea ocean gewässer fluss meer eau fleuve mer agua río
    stream brook creek canal pond spring waterfall reservoir dam estuary lagoon tide ferry reef bach teich
    kanal ruisseau étang arroyo estanque tributary rapids cascade source mouth upstream downstream confluence
    navigable

school university education schule schulen universität universitäten hochschule bildung bildungen école
université enseignement escuela universidad educación
    college academy kindergarten gymnasium campus faculty curriculum pupil student semester degree diploma
    bachelor master doctorate scholarship tuition lecture seminar schüler studium lehrplan élève étudiant
    diplôme alumno estudiante titulación

shop store market restaurant geschäft laden markt gaststätte magasin boutique marché tienda mercado
    bakery butcher grocery supermarket pharmacy bookshop café pub bistro kiosk mall stall bazaar cafeteria
    bäckerei metzgerei apotheke wirtshaus boulangerie pharmacie panadería farmacia

hotel accommodation lodging stay unterkunft übernachtung übernachtungen hébergement logement alojamiento
hospedaje
    inn hostel guesthouse motel resort campsite bungalow booking breakfast checkin checkout reservation beds
    pension zimmer frühstück auberge chambre gîte habitación desayuno reserva
= money name

attraction sight sightseeing destination sehenswürdigkeit sehenswürdigkeiten ausflugsziel curiosité atracción
turismo
    museum castle cathedral gallery zoo aquarium monument viewpoint panorama beach waterfall fountain statue
    palace ruins park garden visitors schloss denkmal aussicht château musée plage castillo museo playa
    obelisk pyramid amphitheatre aqueduct minaret pagoda mausoleum promenade
"""

# --- Events ---------------------------------------------------------------------------------------------

_EVENTS = """
event happening occurrence incident milestone ereignis ereignissen ereignisse vorfall geschehnis événement
acontecimiento evento suceso
    opened closed built destroyed burned flooded signed crowned elected born died discovered invaded
    conquered liberated launched inaugurated collapsed erupted abolished gegründet eröffnet zerstört gebaut
    erbaut abgebrannt fondé ouvert détruit construit brûlé inauguré fundado abierto destruido construido
    inaugurado
= date

disaster catastrophe calamity emergency katastrophe katastrophen unglück notfall désastre sinistre catástrofe
siniestro
    flood fire blaze storm gale hurricane tornado typhoon cyclone earthquake quake tremor tsunami avalanche
    landslide mudslide eruption explosion drought famine plague epidemic pandemic wildfire burned burnt
    destroyed collapse derailed sank sunk shipwreck drowned blizzard hail hailstorm heatwave meltdown brand
    feuer brannte abgebrannt hochwasser überschwemmung flut sturm sturmflut orkan erdbeben lawine erdrutsch
    hungersnot pest seuche dürre einsturz incendie inondation crue tempête ouragan séisme tremblement
    sécheresse effondrement incendio inundación tormenta huracán terremoto sequía hambruna derrumbe

accident crash mishap unfall absturz
    collision collided derailment derailed overturned capsized sank skidded slipped injured killed wreck
    pileup explosion spill entgleist zusammenstoß verunglückt kollision déraillement chavira descarrilamiento
    colisión
= date

war battle conflict fight siege krieg schlacht schlachten kampf konflikt belagerung belagerungen guerre
bataille conflit guerra batalla conflicto asedio
    invasion invaded attack conquest conquered besieged defeated victory surrender raid uprising rebellion
    revolt mutiny ambush skirmish truce armistice ceasefire treaty occupied bombed bombardment campaign
    feldzug angriff aufstand eroberung erobert besiegt belagert waffenstillstand geplündert défaite pillé
    ataque derrota rebelión tregua saqueo
= date

crime offence offense theft verbrechen straftat diebstahl délit vol crimen delito robo
    murder stole stolen robbery robbed burglary burglar arson fraud assault kidnapping smuggling bribery
    corruption embezzlement blackmail forgery arrested suspect convicted poisoned mord gestohlen betrug raub
    einbruch meurtre volé asesinato robado

election vote wahl wahlen scrutin elección
    elected ballot candidate runoff turnout constituency polls majority landslide incumbent reelected voters
    mandate gewählt stichwahl wahlbeteiligung kandidat élu suffrage elegido votación candidato
= vote percent

festival celebration holiday feast ceremony fest feier feiern feiertag fête cérémonie fiesta celebración
ceremonia
    carnival parade procession anniversary jubilee wedding christmas easter halloween thanksgiving harvest
    solstice fireworks banquet coronation bonfire jahrmarkt kirmes umzug weihnachten ostern hochzeit noël
    pâques défilé carnaval navidad pascua desfile boda
= date

foundation founding origin establishment inception gründung gründungen ursprung entstehung entstehungen
herkunft fondation création fundación origen creación
    founder established originated created incorporated inaugurated chartered settled settlers gegründet
    gründer entstand stammt fondé fondateur établi fundado fundador establecido
= date

history past chronicle background geschichte vergangenheit vergangenheiten chronik histoire passé chronique
historia pasado crónica
    century medieval ancient destroyed rebuilt ruled conquered dynasty reign heritage formerly originally
    jahrhundert mittelalter wiederaufgebaut ehemals siècle autrefois jadis siglo antiguamente
= date

timeline chronology zeitleiste chronologie ablauf zeittafel cronología
    began afterwards begann endete commença termina empezó terminó beginning subsequently predates followed
    succeeded preceded erstmals
= date time

meeting session gathering assembly sitzung sitzungen versammlung versammlungen treffen besprechung
besprechungen réunion séance assemblée sesión asamblea
    minutes agenda chaired attended adjourned convened quorum plenary workshop briefing standup retrospective
    protokoll tagesordnung vertagt procès ordre acta convocada aplazada
= date time person

conference exhibition concert performance show konferenz ausstellung ausstellungen konzert aufführung
aufführungen veranstaltung veranstaltungen exposition spectacle conferencia exposición concierto espectáculo
    keynote speaker venue tickets audience booth stage rehearsal opera recital gallery symposium workshop
    lecture screening eintritt bühne vortrag billet scène entrada escenario
= date place

discovery invention innovation entdeckung entdeckungen erfindung erfindungen découverte descubrimiento
invento
    discovered invented patent pioneered breakthrough prototype unearthed excavated excavation entdeckt
    erfunden descubierto inventado
= date person

marriage wedding divorce hochzeit ehe heirat mariage matrimonio boda divorcio
    married bride groom betrothed engaged engagement husband wife spouse verheiratet verlobt épousa marié
    fiancé casado prometido
= date person

reform revolution movement bewegung bewegungen mouvement reforma revolución movimiento
    uprising abolished emancipation suffrage protest strike demonstration riot manifesto overthrow
    independence streik aufstand grève manifestation huelga protesta

travel trip journey voyage expedition reise reisen fahrt viaje expedición
    departed arrived sailed flew travelled crossed explored explorer itinerary departure arrival cruise
    pilgrimage abfahrt ankunft gereist arrivée salida llegada
= place date

strike protest demonstration unrest streik grève manifestation huelga protesta
    picket walkout riot march rally demonstrators boycott blockade curfew lockout ausstand manifestants
    disturbios
= date

award prize honour recognition auszeichnung auszeichnungen preis ehrung ehrungen prix distinction récompense
premio galardón distinción
    medal trophy nobel oscar grammy nominated nomination laureate winner knighted shortlisted prizewinner
    medaille ausgezeichnet medalla galardonado
= date

rumour legend myth folklore story gerücht sage legenden mythos rumeur rumor leyenda mito
    reportedly allegedly supposedly ghost haunted cursed whispered prophecy tale superstition angeblich spukt
    fluch geist fantôme maudit malédiction fantasma maldición

secret mystery clue geheimnis geheimnisse rätsel rätseln hinweis mystère indice secreto misterio pista
    hidden secretly conceal disguise unknown riddle puzzle cipher passage password trapdoor revealed heimlich
    verborgen versteckt caché déguisé oculto escondido
"""

# --- Dates and times ------------------------------------------------------------------------------------

_DATES_AND_TIMES = """
date day year month datum jahr jahreszahl monat jour année mois fecha día año mes
    january february march april june july august september october november december monday tuesday
    wednesday thursday friday saturday sunday century yesterday tomorrow januar februar märz juni juli
    oktober dezember montag dienstag mittwoch donnerstag freitag samstag sonntag janvier février avril
    juillet août septembre octobre novembre décembre lundi mardi mercredi jeudi vendredi samedi dimanche
    enero febrero marzo abril junio julio agosto septiembre octubre noviembre diciembre lunes martes
    miércoles jueves viernes sábado domingo
= date

time clock hour uhrzeit zeit stunde stunden heure hora
    noon midnight morning afternoon sunrise sunset dawn dusk oclock uhr mittag mitternacht vormittag
    nachmittag midi minuit matin mediodía medianoche mañana
= time

deadline due frist fristen termin abgabe stichtag échéance délai plazo vencimiento
    latest expires expiry expiration cutoff overdue submit postponed extended spätestens ablauf verlängert
    fällig jusqu vence caduca prórroga
= date time duration

schedule timetable calendar agenda appointment plan fahrplan zeitplan kalender termine horaire calendrier
rendez horario calendario cita
    monday tuesday wednesday thursday friday saturday sunday weekly daily departs arrives begins rescheduled
    postponed cancelled canceled slot weekend beginnt verschoben commence reporté empieza aplazado
= date time

opening hours öffnungszeiten geöffnet ouverture horaires apertura horarios
    closed weekdays weekends holidays sundays daily appointment noon geschlossen ruhetag montags sonntags
    fermé ouvert lundi dimanche cerrado abierto lunes domingo
= time

age period era epoch alter zeitalter époque edad época periodo
    medieval renaissance victorian bronze stone jurassic century decade millennium aged mittelalter
    jahrhundert siècle décennie siglo década
= date duration number

frequency interval cycle period intervall turnus zyklus intervalo ciclo
    hourly daily weekly monthly quarterly yearly annually twice fortnightly biannual recurring periodic cron
    täglich wöchentlich monatlich jährlich halbjährlich hebdomadaire mensuel annuel semanal mensual anual
= duration

delay postponement lateness verspätung verspätungen verzögerung verzögerungen verschiebung verschiebungen
retard report retraso demora
    postponed rescheduled overdue cancelled canceled verspätet verschoben ausgefallen annulé retrasado
    aplazado cancelado
= duration

expiry validity expiration gültigkeit gültigkeiten ablaufdatum haltbarkeit validité péremption validez
caducidad
    expires valid invalid renew renewal lapse shelf gültig abgelaufen valable périmé válido caducado
= date duration

warranty guarantee garantie gewährleistung gewährleistungen garantía
    warranted defect defective coverage refund repair replacement kulanz mangel défaut défectueux defecto
    defectuoso
= duration
"""

TABLES = (
    _QUESTIONS,
    _PEOPLE,
    _GROUPS,
    _PLACES,
    _EVENTS,
    _DATES_AND_TIMES,
)
