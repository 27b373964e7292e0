/**
 * Common passwords of at least ten characters, in lower case: those of the lists of zxcvbn, Django and John
 * the Ripper, and single ones of SecLists. Shorter ones are refused for their length.
 * `common-passwords.LICENSE.txt` says on what terms the lists come. Importing this takes some time.
 */
export const commonPasswords: ReadonlySet<string> = new Set(
  `
  ********** 0000000000 000000000000 0000000000d 0000000000o 000777fffa 000webhost 0102030405 010203040506
  011151zangetsu 0123456789 01234567890 012345678910 0123654789 0123698745 014702580369 0147258369 0147852369
  0147896325 0192837465 01telemike01 050605rostik 05081980bija 0987654321 0987654321a 0987654321q 0cdh0v99ue
  0icotpd785 0o9i8u7y6t 0r968ji9ufj6 1010101010 1020304050 102030405060 1029384756 1029384756q 10293847qp
  10987654321 1111111111 11111111111 111111111111 111111111111111 1111111111zz 1111122222 11111aaaaa
  1112131415 111222333000 111222333444555 111222333a 111222tianya 1122112211 1122334455 112233445566
  1123581321 1133557799 1211109032 1212121212 1212312121 1213141516 121324810z 1223334444 122333444455555
  1231231231 123123123123 123123123a 123123123q 123123qweqwe 123321123321 123321456654 123321qweewq
  123412341234 1234509876 1234512345 1234554321 1234554321a 1234554321q 123456123456 1234562000 12345654321
  123456654321 12345672000 12345677654321 123456782000 1234567887654321 123456789* 123456789+ 123456789.
  1234567890 1234567890- 1234567890-= 12345678900 123456789000 12345678900987654321 12345678901 123456789012
  1234567890123 12345678901234567890 1234567890987654321 1234567890a 1234567890d 1234567890l 1234567890m
  1234567890o 1234567890p 1234567890q 1234567890qaz 1234567890qw 1234567890qwe 1234567890qwerty
  1234567890qwertyuiop 1234567890s 1234567890w 1234567890z 1234567890zzz 1234567891 12345678910 123456789101
  1234567891011 123456789101112 12345678912 123456789123 123456789123456 1234567891234567 123456789123456789
  1234567892000 1234567898 12345678987654321 1234567899 123456789987654321 123456789a 123456789aa 123456789aaa
  123456789abc 123456789as 123456789asd 123456789b 123456789c 123456789d 123456789e 123456789f 123456789g
  123456789h 123456789i 123456789j 123456789k 123456789l 123456789m 123456789n 123456789o 123456789p
  123456789q 123456789qaz 123456789qq 123456789qqq 123456789qw 123456789qwe 123456789qwer 123456789qwerty
  123456789r 123456789s 123456789t 123456789v 123456789w 123456789x 123456789y 123456789z 123456789zx
  123456789zxc 123456789zz 12345678qwe 1234567qwertyu 123456abcd 123456asdf 123456qwer 123456qwert
  123456qwerty 123456zxcvbn 12345abcde 12345asdfg 12345qazwsx 12345qwert 12345qwert7 12345qwerty 12345trewq
  12345zxcvb 1234qwerasdf 1234qwerasdfzxcv 1234qwerty 1236547890 123654789a 123admin32 123admin321
  123admin321a 123ewqasdcxz 123hfjdk147 123password 123qwe123qwe 123qwe456rty 123qweasdzx 123qweasdzxc
  123qwerty123 12andriy14 12qw34er56ty 1324354657 132forever 13301827475 1346798520 1357908642 1357913579
  1357924680 1357997531 1357reti99 13587930210 1420839army 1472583690 147258369a 1590736tany 159753159753
  1597532486 159753456852 17171717aa 18atcskd2w 18n28n24a5 1928374655 192837465q 193570356033 1958proman
  1986irachka 1994200414 19952009sa 19960610ilja 19mtpgam19 1a2a3a4a5a 1a2a3a4a5a6a 1a2b3c4d5e 1a2s3d4f5g
  1a2s3d4f5g6h 1asdfghjkl 1basketbal 1butterfly 1chocolate 1elizabeth 1fptjtl919 1fr2rfq7xl 1life2live
  1pass1page 1password1 1q2q3q4q5q 1q2w3e4r5t 1q2w3e4r5t6 1q2w3e4r5t6y 1q2w3e4r5t6y7u 1q2w3e4r5t6y7u8i
  1q2w3e4r5t6y7u8i9o 1q2w3e4r5t6y7u8i9o0p 1q3e5t7u9o 1qa2ws3ed4rf 1qa2ws3ed4rf5tg 1qaz2wsx3e 1qaz2wsx3edc
  1qaz2wsx3edc4rfv 1qazwsxedc 1qazxsw23edc 1qazxsw23edcvfr4 1qwertyuio 1qwertyuiop 1sexybitch 1superstar
  1urkilbth674 1v7upjw3nt 1z2x3c4v5b 1zn6fpn01n 1zn6fpn01x 2000comeer 20070509031 2012comeer 20162016up
  2143658709 2222222222 23176djivanfros 23wkoa0fp78dk 2416101113 2468013579 2606642yra 26429vadim 299kgj8hgf
  2cxdn8s271 2dumb2live 2kroliczek 2pacshakur 2q2w3e8r5t 3106934abc 31081981rs 31217221027711 3141592654
  31x7t5xbke 3216732167 32615948worms 3333333333 3526535265 38gjgeuftd 3d8cubaj2e 3daysgrace 3f3fpht7op
  3odi15ngxb 3qdlqb49js 3rjs1la2qe 3rjs1la7qe 3rjs5la8qe 3s43pth5aea 3syqo15hil 3tutso24qf 413276191q
  41d8cd98f00b 420842084208555 421uiopy258 4294967296 42qwerty42 44442013vkkv 4444444444 4815162342
  4815162342a 4815162342lf 4815162342lost 4815162342q 4904s677075 51051051051 520love101182 541233432442
  5432112345 5532361cnjqrf 5544332211 5555555555 5845201314 5858855abc 59382113kevinp 5hsu75kpot 5plk4l5uc7
  5t4r3e2w1q 5x1cjdsb9p 5xfgs3ii9d 6215mila6215 6666666666 671fsa75yt 6hbf28w791 70780070780 7410258963
  7418529630 742617000027 7777755102q 7777777777 7894561230 789456123a 789456123q 7elephants 7jokx7b9du
  7ugd5hip2j 8-9899578642 80070633pc 80173rroom5 80361665abc 80637852730 8096468644q 80972694711 80988218126
  87654321vv 87e5nclizry 88002000600 8888888888 89015173454 89032073168 89057003343 89058895869cth
  89063032220m 89132664230 89172735872 89173371487v 89181502334 89211375759 89231243658s 89600506779
  89614774181 89876065093rax 89semtsriuty 8ix6s1fceh 8phrowz622 8phrowz624 9085084232 9085603566
  9121318barssuki 9198425200 9293709b13 92k2cizcdp 9508402243id 9638527410 9731553197 9874563210 9876543210
  9876543211 987654321a 987654321g 987654321q 987654321z 989244342a 9988776655 999111999q 9999999999
  99strenght 9uzp9jek3f 9z5ve9rrcz <password> ?????????? ??????@mail.ru @bigmir.net a123456789 a1234567890
  a1a2a3a4a5 a1b2c3d4e5 a1s2d3f4g5 a1s2d3f4g5h6 a3eilm2s2y a789456123 a987654321 aa12345678 aa123456789
  aa@1234567 aa@123456789 aaaaaaaaa1 aaaaaaaaaa aaaaaaaaaaaa abc1234567 abc123456789 abcd123456 abcde12345
  abcdefg123 abcdefghi1 abcdefghij abercrombie abracadabra abrakadabra absolutely accountant accountbloc
  accounting activation ad12345678 adams33486 admin12345 admin123456 admin18533362 admin@1234 adminadmin
  administrator admintelecom adrenaline aerosmith1 aezakmi123 afghanistan afrika2002 agnieszka1 ahbird1984
  ajcuivd289 ajnjuhfabz akademiks11 aksjdlasdakj89879 aksrms8010 alabama123 alejandra1 alejandro1 alejandro2
  aleksander aleksandra alessandra alessandro alexander1 alexander2 alexander3 alexander7 alexander9
  alexandra1 alexandria alexsander alinaalina alisaalisa alkanaft123 allahakbar allahuakbar allrecipes
  almario927 alpha135792468 alphabravo alphaomega alternativa alternative am4h39d8nh amadeusptfcor ambassador
  amdturion64 america123 amoreterno amsterdam1 an83546921an13 anastasia1 anastasija anastasiya anderlecht
  andi121382 andrewjackie andrey1412ua andrey1992 angelangel angelbaby1 angeleyes1 angelochek angelofwar
  angelseye22 animal2000 annabelle1 antananarivu anthony123 antichrist antoinette antonio123 anytimetoday
  apocalypse apokalipsis applejuice applesauce aquamarine arabella24630 arcobaleno argentina1 armageddon
  armorgames armstrong1 arschloch1 arsenal123 artemartem asassin1997 asd123asd123 asdasdasd1 asdf123456
  asdfbeans1 asdfg12345 asdfgh123456 asdfghjkl0 asdfghjkl1 asdfghjkl12 asdfghjkl123 asdfghjkl2 asdfghjkl:
  asdfghjkl; asdfghjklhudson1 asdfghjklwinston1 asdfjklknight asshole123 astalavista astonmartin astonvilla
  astra334566 auckland2010 aug!272010 australia1 avrillavigne awdrgyjilp awesome123 awo8rx3wa8t azerbaijan
  azerbaycan azertyuiop azsxdcfvgb azwebitalia b123456789 babemagnet babyboy123 babycakes1 babygirl01
  babygirl06 babygirl07 babygirl08 babygirl09 babygirl10 babygirl11 babygirl12 babygirl13 babygirl14
  babygirl15 babygirl16 babygirl17 babygirl18 babygirl19 babygirl20 babygirl21 babygirl22 babygirl23
  babygirl24 babygirl25 babygirl69 babygurl12 babygurl13 babygurl14 backspace1 backstreet badiman28200
  badnaamhere badoobadoo baili123com baltimore1 bangladesh barbarossa barbiegirl barcelona1 bartender1
  baseball08 baseball09 baseball10 baseball11 baseball12 baseball13 baseball14 baseball15 baseball16
  baseball17 baseball18 baseball19 baseball20 baseball21 baseball22 baseball23 baseball24 baseball25
  baseball27 baseball33 basketbal1 basketbal9 basketball basketball1 bassmaster basti_1014 battlefield
  battlestar bball4life beautiful1 beautiful2 beautiful3 beautiful7 beethoven9 belladonna bellissima
  benjamin15 berezuckiy berlin1945 bernadette bestfriend bestfriends bettyboop1 bettyboop2 bhrh0h2oof6xbqjeh
  biblioteka bigbrother bigpimpin1 billabong1 billiejoe1 birmingham birthday10 birthday100 birthday133
  birthday21 birthday26 birthday27 birthday28 birthday299 birthday36 birthday54 bismillah1 blablabla1
  blackadder blackberry blackbird1 blackcat123 blackdragon blackhawk1 blackhawks blackheart blackhorse
  blackjack1 blacklabel blackmagic blackmetal blackrose1 blacksheep blacksonblon blackwater blackwhite
  bladerunner blahblahblah blingbling blitzkrieg blkdrag0ns blood4life bltynbabrfwbz blueberry1 bluedevils
  bluedragon bmvm3e46gtr bobesponja bobmarley1 boguska123 bondarenko borec123654 boredboi4u bot_schokk
  boy1cool23 boy4u2ownnyc boyfriend1 bpgjldsgjldthnf brandon123 braveheart breakdance brianna123 brinchen23
  brittany11 brittany12 broadband1 brokenhear brokenheart browneyes1 brownsugar brucewayne bubblegum1
  bubblegum2 bubbles123 budweiser1 bugsbunny1 bujhmbujhm bullnuts2003 bullwinkle bumblebee1 bushmaster
  businessbabe butterball butterbean buttercup1 butterflies butterfly! butterfly0 butterfly1 butterfly2
  butterfly3 butterfly4 butterfly5 butterfly6 butterfly7 butterfly8 butterfly9 bvncnbnvvbn bvp33w7epu
  bwfq23jp7f byajhvfnbrf c123456789 c43dae874d c43qpul5rz c7e4f8ezqh calculator california california1
  callofduty callofduty4 cameron123 candycane1 candyeater candyfinger candyfloss candygirl1 cannondale
  capitals11 capricorn1 capricornio cardinals1 carebears1 carolina12 carpediem1 carpenter1 casablanca
  cashmoney1 cassandra1 caterpillar catherine1 ccopacell1 cds04121989 cegthgegth cegthgfhjkm celinesimon
  cellphone1 celtic1888 cepetsugih cfkfvfylhf cghfdjxybr cgtwbfkbcn challenger change1234 chargers21
  charleston charlie111 charlie123 charlotte1 charly2004 charmander cheburashka cheekymonkey cheerleade
  cheerleader cheerleading cheerleaers cheeseburger cheesecake cheguevara chelle1234 chelsea123 chelseafc1
  chemistry1 chessmaster chester123 chesterfield chevrolet1 chicharito chicken123 chickenwing101 chihuahua1
  chinchilla chocolate! chocolate. chocolate1 chocolate2 chocolate3 chocolate4 chocolate5 chocolate6
  chocolate7 chocolate8 chocolate9 chrisbrown christelle christiaan christian1 christian2 christian7
  christina1 christina2 christine1 christmas1 christmas2 christoph89 christophe christopher christopher1
  chronic420 chupakabra cincinnati cinderella civilization cjdthitycndj cjmasterinf classof200 classof201
  clementine cleopatra1 cleveland1 clubpenguin cm6e7aumn9 cnfc35762209 cnfnbcnbrf cnjvfnjkju coccinella
  cockgobbler cocksucker cocochanel collection combat123654 comicbookdb comicbooks commercial compatible
  complicated computador computadora computer11 computer12 computer123 concepcion confidence configuratio
  connection constantin constantine construction contortionist contrasena contraseña controller cookiemons
  cookiemonster cookies123 cool123456 coolbeans1 cooldude09 coorslight copenhagen cordell123 coregmedia
  corperfmonsy corporation cosmopolitan counterstrike countryboy couponsc10 courtney12 crackhead1 crazybitch
  crazygirl1 crazyhorse crepusculo cristiano7 cristopher crystal123 ctdfcnjgjkm cunningham cuntfinger
  cupcake123 cutiepie12 cvzefh1gkc cxfcnkbdfz cxfcnmttcnm cyberonline cyecvevhbr cyjdsvujljv cytuehjxrf
  d0r1nc0urt d123456789 d2xyw89sxj d71lwz9zjs d9zufqd92n daddygirl1 daddysgirl daddyyankee dance4life
  dangerous1 dangerous12 danielle12 daredevil1 darkangel1 darkknight darthvader dashadasha dbrnjhjdbx
  dbrnjhjdyf dctvcjcfnm dctvghbdtn dddddddddd deathmetal deathnote1 december10 december11 december12
  december13 december14 december15 december16 december17 december18 december19 december20 december21
  december22 december23 december25 december28 december31 deeppurple deepthroat deerhunter defender101
  dei3mutter delicious1 delpiero10 deltaforce demilovato demolition demon12345 demon1q2w3e demon1q2w3e4r
  demon1q2w3e4r5t department depechemode description desperados destiny123 destruction detroit313 deutschland
  devastator devildriver devilmaycry devilmaycry4 dfg5fhg5vgfh1 dfktynbyrf dhjnvytyjub diamond123 dictionary
  difference digitalprodu dimas34rus diosesamor diosesfiel disneyland disturbed1 diwtgm8492 djljghjdjl
  dkflbdjcnjr dkflbvbhjdbx dkflbvbhjdyf dkxjizc282 dmiller12as dodgeviper doggystyle dogphil3650 dolphins13
  domainlock2005 domination dominican1 dominique1 domodedovo donaldduck donkeykong dontforget doodlebug1
  doomsayer.2.7mords.v doomsayer.2.7mords.vv dragonball dragonballz dragonfire dragonfly1 dragonforce
  dramaqueen dreamonline drumandbass dtynbkznjh dulcemaria dunnowho89 duranduran e123456789 e6pz84qfcj
  earnhardt3 eastenders eastside13 education1 edwardcullen edxk20qmfs ee19920528 efbcapa201 eghfdktybt
  eh1k9oh335 ejaculation ekaterina20 elcubano1893a electrical electronic electronics element123 elisabeth1
  elisabetta elizabeth0 elizabeth1 elizabeth2 elizabeth3 elizabeth5 elizabeth7 elizabeth8 elizabeth9
  elsalvador emachines1 emmanuelle employment engel00007 engineering enterprise entertainment eqes606898
  escaflowne esmeralda1 esperanza1 estrelinha estrellita ethanryan01 etnxtxsa65 evanescence evangelion
  evergreen1 everything evolution1 excellence experience experienced eybdthcbntn ezekiel11989 ezekiel11991
  f1uuhza723 faca210898 fallen_angel fallenangel falloutboy familiyafamiliya familyguy1 fantastic1 fantastic4
  farfallina fartripper fatima753357 fcbarcelona fcnfkfdbcnf fdnjhbpfwbz feder_1941 felicidade fenerbahce
  fenohasina39 ffffffffff fgjkbyfhbz fgjrfkbgcbc fgjrfkbgcbc34 fighting54 finalfantasy findaupair007
  fiorentina firefighter firestarter firstone123 fisherman1 fishfinger fitzgerald fkg7h4f3v6 fkmnthyfnbdf
  fktrcfylh1 fktrcfylhf fktrcfylhjd fktrcfylhjdbx fktrcfylhjdf fktrcfylhjdyf fktrcfylth flatblocker flintstone
  florentina floricienta flowerpower flowers123 flvbybcnhfnjh football01 football07 football08 football09
  football10 football11 football12 football123 football13 football14 football15 football16 football17
  football18 football19 football20 football21 football22 football23 football24 football25 football26
  football27 football28 football30 football32 football33 football34 football44 football45 football51
  football54 football55 football56 football69 football72 football77 football88 football99 forever123
  foreveryou foreveryoung forgetmenot forgotten1 formatters forzainter forzamilan forzanapoli foundation
  fourteen14 foxracing1 fqrg7cs493 francesca1 francisco1 frankzappa frederick1 frederiksberg freedom123
  freelancer freestyle1 freyfvfnfnf friends123 friends4ev friends4ever friendsforever friendship friendster
  froinlaven fromvermine frozenfish fu7u4a#$$$ fuck_inside fuckinside fucklove13 fuckmehard fuckmylife
  fuckoff123 fuckoff666 fuckthemall fuckthewor fucktheworld fuckthroat fuckyou123 fuckyou420 fuckyou666
  fuckyouall fuckyoubit fuckyoubitch fuckyouguys fufnfrhbcnb fullaccess fullmetal1 fxzz75$yer fyfcnfcbz1
  fyfnjkmtdbx fyfnjkmtdyf fynfyfyfhbde g13916055158 g9l2d1fzpy gabriel123 gabriella1 gabrielle1 galatasara
  galatasaray gamecocks1 gamemaster gangbanged gangsta123 gangster12 gatekeeper gblfhfcbyf gearsofwar
  generation georgetown gerasimova gettherefast gettysburg gfhfcjkmrf gfhfktkjuhfv gfhfvgfvgfv gfhjkmgfhjkm
  gggggggggg ghbdtndctv ghbdtnghbdtn ghbdtngjrf ghbdtnrfrltkf ghhh47hj764 ghhh47hj7649 ghjatccbjyfk
  ghjcnbnenrf ghjcnbvtyz ghjcnjabkz ghjcnjgbpltw ghjcnjgfhjkm ghjcnjghjcnj ghjcnjnfr1 ghjcnjqgfhjkm
  ghjcnjrdfibyj ghjcnjrdfif ghjgfufylf ghjnbdjcnjzybt ghjnbdjufp ghjrehfnehf ghjrjgtyrj ghjuhfvbcn ghjuhfvvbcn
  ghostrecon ghostrider ghtdtlvtldtl gigaman8891 gilbert2707 girlfriend girlpower1 girlygirl1 gjdtkbntkm
  gjhjlfcjqrb gjikbdctyf gjkysqgbpltw gjyjvfhtdf gjytltkmybr glamorous1 global123@ godblessme godfather1
  godisgood1 godisgreat godislove1 godlovesme godzils4s7 goldfinger golfcourse good123654 goodcharlotte
  goodfellas goodmorning goodtimes1 google.com googletester gordolee85 gossipgirl grandmaster grandorgue
  grasshopper greedisgood greenapple greenday12 greeneyes1 greengreen greenhouse greenlantern grenouille
  gribouille grimreaper groovychick groupd2013 gtavicecity gthtcnhjqrf gthtrfnbgjkt gthtrhtcnjr gtnhjpfdjlcr
  guadalupe1 guatemala1 guillermo1 guitarhero gummybear1 gundamwing gunslinger gunsnroses guru123456
  gwarmonster gxlmxbewym gy3yt2rgls gymnastics h1xp2z2duk h2vwdubjx4 h72sfibbnl hallelujah hallohallo
  halloween1 hamburger1 hammerhead hammertime hannahmont hannahmontana hannover96 hans4queck happiness1
  happybunny happydays1 happyfeet1 happyhappy hardwareid harekrishna harrypotte harrypotter hawkesbury93
  hbhc8290826 hd764nw5d7e1vb1 hd764nw5d7e1vbv headhunter heartbreak heartbreaker heartbroke heartbroken
  heartless1 heather123 heavymetal hedimaptfcor heeren981a heitor250493 helicopter hello12345 hellohello
  hellokitty hellomoto1 hellothere helloworld hellraiser henderson1 hernandez1 hesoyam123 heterosexual
  hevhk43n9j heyheyhey1 hgrfqg4577 highlander highschool hijodeputa hilaryduff hillbilly1 history278
  hocuspocus hollister1 hollister2 hollister3 hollister5 hollywood1 hollywood2 holyspirit homelesspa
  hondacivic hondas2000 honeybunny hoodnigga1 horsepower hotmail.com hotmail123 housemusic housewifes
  houston713 hshfd4n279 htubcnhfwbz huangfeisuny huhbbhzu78 hummingbird hunnybunny hurricane1 hurricanes
  hx28o9e646 hypnodanny iaapptfcor iamawesome iamnumber1 iampurehaha2 iamthebest ibicguwjic icecream12
  ichliebedi ichliebedich icxkyb7972 id6c3wr6un iddqdiddqd iddqdidkfa idontcare1 idontknow1 igetmoney1
  ihatethisgame ilikepussy illuminati ilovealex1 iloveboobies iloveboys1 ilovechris ilovedavid ilovedogs1
  ilovegirls ilovehim12 iloveindia ilovejames ilovejason ilovejesus ilovejohn1 ilovejosh1 ilovejusti
  ilovematt1 iloveme123 ilovemike1 ilovemommy ilovemusic ilovemybab ilovemydad ilovemyfam ilovemyfamily
  ilovemykid ilovemykids ilovemylife ilovemymom ilovemymum ilovemysel ilovemyself ilovenick1 ilovepussy
  iloveryan1 ilovetyler iloveyou01 iloveyou07 iloveyou08 iloveyou09 iloveyou10 iloveyou11 iloveyou12
  iloveyou123 iloveyou13 iloveyou14 iloveyou143 iloveyou15 iloveyou16 iloveyou17 iloveyou18 iloveyou19
  iloveyou20 iloveyou21 iloveyou22 iloveyou23 iloveyou24 iloveyou69 iloveyou77 iloveyou88 iloveyou<3
  iloveyouba iloveyouso iloveyoux3 imagination imjakie123 impossible imthebest1 imyaimyaimya inactive1996aug
  incredible independen independent industrial infalicall information ingodwetrust insertions installdevic
  installsqlst installutil instructor intelinside intelligence interacial intercourse intermilan international
  internazionale inuyasha12 invincible ipo54tj45uy856 ironmaiden iseedeadpeople istanbul34 itsasecret
  ivanivanov iw14fi9jwqa iw14fi9jxl j123456789 j1v1fp2bxm j3qq4h7h2v jackass123 jackdaniels jackhammer
  jackson123 jacqueline jaigurudev jaihanuman jamesbond007 jamesbond1 jamesjames japanese92 jarox1301!
  jasmine123 jaw138whet330 jediknight jedimaster jefferson1 jeffhardy1 jellybean1 jellybeans jellyfish1
  jennifer12 jessejames jessica123 jesucristo jesuschris jesuschrist jesuscristo jesusfreak jesusislord
  jesuslives jesusloves jesuslovesme jesussaves jetbalance jethrotull jfgvcqbuzug jiang8kevin jiefang007
  jigei743ks jimandanne jjcg16dj5k jjjjjjjjjj jkiuztdftl57 jlbyjxtcndj jobshop2002 john!20130605at1753
  johnathan1 johncena12 johncena54 johndeere1 johnny1959 johnnydepp jokerjoker jonasbroth jonasbrothers
  jonathan12 jordan2345 josemanuel josephine1 josephphone7 juancarlos juggalo420 juggernaut juliadronina1996
  julian1705 juliana123 juliocesar jundian2011xr justforfun justinbieb justinbiebe justinbieber jxfhjdfirf
  k123456789 k25061405u k47rizxt2g ka_djkhjsy6 kalifornia kaliningrad kamehameha kamelia2011 kanmax1994
  karakartal karappinha kartoffelpuffer kassandra1 katherine1 katyakatya kazakhstan kbnthfnehf kd189nlcih
  kensington kifj9n7bfu killer1234 killerin66 kimberly12 kingfisher kinomoto89 kirik26trimyasov kirill1990
  kissmyass1 kissmyass2 kittykitty kl?benhavn klapaucius klubnichka kmzwa8awaa knackwurst8853 knickerless
  knucklehead kobebryant komputer12 konovalova konstantin kozanostra krasavchik kravchenko kretsaha53
  kristopher kryptonite krystyna56 ktjynsq40147 kuana230345 kudos4ever kurtcobain kwiatuszek l123456789
  l58jkdjp!m l6ho3tg7wb ladiesman1 ladyffesta lamborghini lamborgini lanlan1234 laurel12creek leavemealone
  lebronjame ledzeppelin left4dead2 leliane50934 leolong1985 letmein123 letmeinnow lfplhfgthvf
  lhbjkjubz2957704 lifeisgood lifesucks1 lightbulb1 lighthouse lightning1 lightning2 lightpower12345
  lightsaber lilwayne12 limegreen1 limpbizkit lineage123 linkedin01 linkedin11 linkedin123 linkedin2011
  linkedin4me linkinpark lionheart1 lipy110593 lissalissa littlebear littlebit1 littlebitch littlefuck
  littlegirl littleman1 littleminge littleslut littlewhore liverpool0 liverpool1 liverpool123 liverpool2
  liverpool5 liverpool7 liverpool8 liverpool9 liverpoolfc livestrong lkjhgfdsa1 lkjhgfdsazx llllllllll
  lockerroom lolipop123 lololyo123 longbeach1 longhorns1 loploprock losangeles loserface1 lost4815162342
  lothlorien lotrfotr34 love123456 love4ever1 love777321777 lovealways loveforever lovehurts1 lovehurts2
  loveislife lovelovelove lovelygirl lovemykids lovergirl1 lovesucks1 loveu4ever loveyou123 lovezp1314
  lp2568cskt lsia9dnb9y ltybcrj1992 luansantana lucifer666 luckycharm lumberjack luojianhua lydcc20091314
  lytdybrbdfvgbhf lytghjgtnhjdcr lzhan16889 m01759766727 m123456789 m1am1b3ach m6cjy69u35 ma123123123
  mackenzie1 madagascar madagaskar madison123 maella1311 magandaako magdalena1 magical123 magma9824660
  mahalkita1 mailcreated5240 maintenance maisuradze makemoney1 mamikawada management manchester manchester1
  manchesterunited mandarinka mandragora mangust6403 manunited1 mapet123456 mapleleafs maplestory
  maprchem56458 maradona10 marcuseckos marek14michal margarita1 margherita marguerite mariamaria marijuana1
  marinamarina marinochka mario140773 marketing1 markhegarty marseille1 marseille13 martinique marvel5454
  maryjane42 mashamasha massimiliano masterbaiting masterbate masterbating mastercard masterchief mastermind
  masturbate masturbation matchbox20 matematica matematika mathematics matthew123 mattylad10 matyas2001
  maurolarastefy maximilian maximiliano maxix565656 maxmotives mcdonalds1 meatball99 mechanical meditation
  mega_pizdetz666 megaparol12345 megasecret melissa123 memyselfandi messenger1 metallica1 metallica2
  metallica6 metropolis mevefalkcakk michael123 michaeljac michaeljackson michelle01 michelle11 michelle12
  michelle13 michoacan1 mickeymous mickeymouse microphone microsoft1 midnight12 migrationschool miguelangel
  mikejones1 mileycyrus milfhunter milkshake1 millennium millerlite millertime millionaire minecraft123
  minhasenha minicalibra minicooper minnesota1 minnesota_hp minniemouse misiaczek1 mississipp mississippi
  misskitty1 mitsubishi mmmmmmmmmm mnbvcxz123 mod7tygrysow moderncombat momanddad1 momsanaladventure
  moneymaker moneyman87 moneymoney monkey1234 monkeyboy1 monkeybutt monkeyman1 monster123 monstercha
  montecarlo montenegro monterrey1 montgom240 montgom2409 montgomery moonlight1 moonshine1 morganstanley
  mortalkombat mostwanted motdepasse motherfuck motherfucker motherlode motocross1 motorcycle mousemouse
  mrf11277215 msoracle32re msorcloledbr multimedia multiplelo multiplelog murcielago music4life musiclover
  mustang123 mv46vkmz10 mychemicalromance myjdxtcxks mylinkedin mypassword myspace.co myspace101 myspace123
  myspace200 myspace201 myspace4me myspacepas n123456789 n8zgt5p0shw= nastya1995 nastya1996 nastya1997
  nastya2010 nastyanastya natasha123 nathaniel1 natiichen999 naughtyboy navigation nccpl25282 ne_e_pod_chehyl
  necromancer necronomicon need4speed needforspeed nemvxyheqdd5oqxyxyzi nesterenko networking networkingpe
  neveragain nevergiveup nevermind1 neverwinter newaccount newcastle1 newjersey1 neworleans neworleans12345
  newpasswor newpassword newport100 newproject2004 newthree51 newyork123 newzealand nha7ebf6kp nhbujyjvtnhbz
  nhecsyfujkjdt nhfdvfnjkju123 nhfrnjhbcn nhfycajhvths nicholas12 nick1234-rem936 nickelback nickiminaj
  nickjonas1 nightcrawler nightmare1 nightshade nikita1998 nikita2000 nikolaevna nintendo64 nissan350z
  nks230kjs82 nmt89109328673 nodefinido nokia6230i nokiadermo nokianokia nomeacuerdo nondriversig noonehackme
  nopassword northside1 nostradamus nothings123 notredame1 nottingham november10 november11 november12
  november13 november14 november15 november16 november17 november18 november19 november20 november21
  november22 november23 november24 november25 november26 november27 november30 novosibirsk nthvbyfnjh
  nthvbyfnjh2 ntktdbpjh1994 nuaddn9561 nuttertools nyq28giz1z oc247ngucz ocpoook325 offspring1 ohiostate1
  ohmnamah23 oks65b6666 olamilekan olanrewaju olcrackmaster oldschool1 oldsmobile olegnaruto olo65b6666
  omgkremidia onedirection onetwothree ontheoutside ontherocks opensesame opernhaus1 ordinateur orlandobloom
  orochimaru owt243ygbh owt243ygbj p030710p$e4o p0o9i8u7y6 p123456789 p3rat54797 painkiller paintball1
  pakistan12 pakistan123 panasonic1 pandabear1 pandemonium papichulo1 paraklast1974 parliament parol12345
  parolparol pass@12345 passer2009 passer2010 passer2011 passmaster passtrader password00 password01
  password06 password07 password08 password09 password1! password10 password101 password11 password12
  password123 password1234 password12345 password123456 password13 password14 password15 password16 password17
  password18 password19 password20 password21 password22 password23 password24 password25 password26
  password27 password32 password33 password34 password42 password44 password45 password55 password66
  password69 password77 password88 password89 password90 password91 password99 password@1 password@123
  passwordassword passwordpassword passwordstandard pathfinder patrick123 patriots12 patterson1 pazzword123
  pe#5gz29ptzmse peace&love peacemaker peanutbutter penetrating penetration pennstate1 peppermint percussion
  perfection performance performing peternorth petewentz1 peugeot206 peugeot406 pfhfnecnhf pfqwtd27121988
  phezc419hv philadelphia philippine philippines philosophy phoenix888 pimpdaddy1 pimpjuice1 pineapple1
  pinkfloyd1 pinkpanther pittsburgh playboy123 playground playstatio playstation playstation2 playstation3
  plhfdcndeq pocahontas pointblank pointbreak poiuytrewq poiuytreza pok29q6666 pokemon123 polarbear1
  polniypizdec0211 polniypizdec1102 polniypizdec110211 polopolo09 poohbear12 poopmaster popcorn123 poptropica
  pornografia pornographic pornography pornstar69 porsche911 portishead portsmouth postov1000 pothead420
  povlmly727 powerpower pppppppppp pqntmt1247 premiumcash president1 presidente prettyboy1 prettygirl
  primetime21 princesita princess01 princess06 princess07 princess08 princess09 princess10 princess11
  princess12 princess123 princess13 princess14 princess15 princess16 princess17 princess18 princess19
  princess20 princess21 princess22 princess23 princess24 princess69 princess88 principessa priscilla1
  prisonbreak production professional programmer progressive projectsadminx prometheus prosperity protection
  proverbs31 providence przyjaciolki psicologia psychnaut1 psychology ptybnxtvgbjy puertorico pufunga7782
  punksnotdead puppylove1 purplehaze pussybitch pussyeater pussylicker pussylover pussypussy pyfrjvcndj
  q0tsrbv488 q123456789 q1234567890 q1q2q3q4q5 q1w2e3r4t5 q1w2e3r4t5y6 q1w2e3r4t5y6u7 q1w2e3r4t5y6u7i8
  q1w2e3r4t5y6u7i8o9p0 qawsedrftg qawsedrftgyh qaz123wsx456 qaz26101778 qazwsx1234 qazwsx12345 qazwsx123456
  qazwsxedc1 qazwsxedc12 qazwsxedc123 qazwsxedcrfv qazwsxedcrfvtgb qazwsxqazwsx qazxswedc123 qazxswedcvfr
  qdujvyg5sxa qh6xl1p9xj qiciqdp162 qpwoeiruty qq123456789 qqqqqqqqqq qti7zxh18u quality123 quant4307s
  queenas8151 qugrqfo825 quicksilver quiksilver qw10081973 qwaszxerdfcv qwe1122334 qwe1234567 qwe123qwe123
  qweasdzxc1 qweasdzxc12 qweasdzxc123 qwegta13091990 qwerasdfzxcv qwert12345 qwert54321 qwertasdfg
  qwertasdfgzxcvb qwertgfdsa qwertqwert qwerttrewq qwerty1234 qwerty12345 qwerty123456 qwerty123456789
  qwerty2010 qwerty@123 qwertyasdfgh qwertyqwerty qwertyu123 qwertyuio1 qwertyuiop qwertyuiop1 qwertyuiop10
  qwertyuiop12 qwertyuiop123 qwertyuiop12345 qwertyuiop[] qwertyytrewq qwertzuiop r123456789 r3vi3wpass
  r9lw4j8khx radiohead1 raiders123 rainbow123 rainforest rammstein1 randyorton rangerover rashley198
  rastafarian rattlesnake raumschiff rbotmvz954 realestate realmadrid realnigga1 reanimator rebecca123
  redemption redskins21 rememberme remington1 residentevil resing1965 respublika revelation reviewpass
  revolution reymysterio rfcgthcrbq rfgecnfcerf rfhfrfnbwf rfhfvtkmrf rfkbajhybz rfkmrekznjh rfnfcnhjaf
  rfnfgekmnf rfnthbyf1988 rhbcnbyjxrf rhfcyjzhcr rhfvfnjhcr richard123 richardson riverplate riverside1
  rjhjkmbien rjirfrgbde rjkjrjkmxbr rjycnbnewbz rjycnfynby rkfdbfnehf roadrunner roanne42300 rockandroll
  rockbottom rockhopper rocknroll1 rockstar10 rockstar12 rockstar13 rodriguez1 roflcopter rolandia42
  romanroman ronaldinho ronaldinho10 ronaldo123 rottweiler rubberduck runescape1 runescape2 ryan962052
  s123456789 s1a2s3h4a5 s456123789 s8ylpe9jdpvym sabrina123 sacramento sagitarius sagittarius sailormoon
  salamander salamandra salmankhan salvation1 samantha12 samantha13 samsung123 sanandreas sanfrancisco
  santamaria saqartvelo sasha12345 sashasasha sataniv1993 satisfaction saun24865709 saxophone1 scandinavian
  schokolade schoolgirlie schumacher scoobydoo1 scoobydoo2 scooter123 scoubidou2 scoubidou6 scvmofas79
  sdf7asdf6asdg8df sdh686drth sdicmt7seytn sebastian1 sebastian106 seemnemaailm selenagome selenagomez
  selfok2013 seminoles1 seniseviyor seniseviyorum sephiroth1 september1 september2 september3 september5
  september6 september7 september8 september9 septiembre serafina14 serendipity sergeevich sersolution
  service321 sesshomaru sevastopol sexmachine sexpistols sexybeast1 sexybitch1 sexybitch2 sexyblack1
  sexychick1 sexygirl12 sexymama12 shadow0262 shadow1212 shakespeare shamanking shelbygt500 shevchenko
  shiningeagle shithappens sidewinder silenthill silverado1 silverkey3 silverstone simferopol simpleplan
  skate4life skateboard skateordie skaterboy1 skaterdude skelitor66 skittles12 skorpion39 skyliner34
  skywalker1 slimshady1 slipknot12 slipknot66 slipknot666 smackdown1 smallville smokeweed1 snoopdogg1
  snowboard1 snowflake1 snusmumrik soccer1234 softball10 softball11 softball12 softball13 softball14
  softball15 softball21 softball22 softball23 sojdlg123aljg solidsnake somanypickles27 something1 sonnenschein
  sonyericsson soso123aljg souljaboy1 southpark1 southpole1 southside1 southside2 southside3 southwest1
  soylamejor spam967888 spartak1922 spartan117 specialinsta specialist spider-man spiderman1 spiderman2
  spiderman3 spiderman4 spiderman7 spionin8688 spongebob0 spongebob1 spongebob2 spongebob3 spongebob5
  spongebob7 spongebob9 spongecola springfield springsteen ss563563ss ss6z2sw6lu ssssssssss stalingrad
  stalker123 starbucks1 starburst1 starcraft1 starcraft2 staredobre starlight1 starscream startfinding
  starwars03ja starwars111 starwars12 starwars123 starwarsfan10 statistika steamforums steelers43
  stefangreil1983 steflio3123 stephanie1 stephanie2 stickdaddy77 stinkyfinger stomatolog stonecold1 stonehenge
  stratocaster strawberry streetball stronghold studioworks studmuffin subscriber successful suckmycock
  suckmydick sugarbear1 summer2008 summer2010 summertime sundaypunch sunderland sunflower1 sunglasses
  sunshine01 sunshine09 sunshine10 sunshine11 sunshine12 sunshine13 sunshine21 sunshine22 sunshine23
  sunshine69 superduper supergirl1 superman01 superman10 superman11 superman12 superman123 superman13
  superman21 superman22 superman23 superman69 supermanboy supermario supernatural supernova1 superpower
  superpuper supersonic superstar1 superstar2 supervisor superwoman sutvsc5ysaa svensps820 svetasveta
  sweetangel sweetdream sweetdreams sweetheart sweetiepie sweetness1 sweetpussy swordfish1 sylvester1
  sylviahans syncmaster systemofadown sz9kqcctwy t123456789 t34vfrc1991 t5r4e3w2q1 table54781 tadmichaels
  taekwondo1 tagesgruppe2010 taishan2011 tamwsn3sja taylormade tdfyutkbjy teamomiamor teamomucho technician
  techniques technology teddybear1 teddybear2 tekieromucho telecaster telechargement telephone1 television
  temppassword tennessee1 teonamaria1 tequieromucho terminator testing123 thebears12 thebeatles thecakeisalie
  thegreat123 thesimpsons theworldinyourhand thirteen13 thissucks1 throatfuck thugstools thunderbird
  thundercat ticketmaster tielandros01 tiffany123 tigertiger tigerwoods timberlake timberland timberwolf
  timfranzke tinkerbel1 tinkerbell tinkerbell1 tkgsoo083bsr tnk0mk16vx tokiohotel tombrady12 tombraider
  total12scherz tottenham1 toulouse31 trackstar1 transexual transforme transformer transformers translator
  trapdoor39 trapdoor43 trapdoor60 triskelion trustnoone ttd955audg tupacshakur tuputamadre turktelekom
  tweetybird twilight12 ty2t1hv3oc tylerca310 tzir25l5kn u1v7hhh7ef ublhjgjybrf ubnkthrfgen ubvyfcnbrf
  ufhhbgjnnth uhfybn8888 ujkjdjkjvrf unbelievable uncencored undercover undergroun underground underoath1
  understand undertaker underwater underworld unforgiven uniqueness universal1 universidad university
  uqa9ebw445 userexecute usuckballz1 utyyflmtdyf uvgx8f8232 v123456789 vaffanculo valentina1 valentine1
  valentinka valentino1 valkenhayn vanessa123 vanessa141175 vanyarespekt vascorossi vbhjndjhtw venom121293
  verygoodbot vesproongh12 vfhbjk1801 vfhbyfvfhbyf vfhufhbnrf vfhvtkflrf vflfufcrfh vfntvfnbrf vfrcbvtyrj
  vfrcbvvfrcbv vfvfgfgf123 vfvfvskfhfve vfylfhbyrf victoria12 viewsonic1 villanueva villeneuve vinogradov
  viphv5j736 virgilio12 virtuagirl virtue1234 vitalik123 vitolino10 vitor1268123 vladcherktecktonik
  vladimirovna vladislava vladivostok volkswagen volleyball voxstrange vqsablpzla vrbgqns997 vsjasnel12
  vyjujnjxbt w123456789 w1w2w3w4w5 w2dlww3v5p w5tn36alfw w5txn36alfw w66yrybgra wachtwoord walkman555
  wallstreet warhammer1 warhammer40k washington waterfall1 waterfalls watermelon wazzkaprivet wcrfxtvgbjy
  webhompass websolutions websolutionssu webuivalidat wednesday1 weihnachte weihnachten weihnachtsbau
  weihnachtsbaum welcome123 welcome@123 wellington wenef45313 werilopert weronika1992 werty12345 westcoast1
  westside13 wethepeople weyersheim whatever11 whatever12 whatthefuck whatthehell whatthezor whitepower
  whitetiger whosyourdaddy widespread william123 william2631 winchester winniethepooh winnipeg261 winstonone
  wishmaster woaini1314 wolverine1 wolverines wonderful1 wonderland wonderwall wonderwoman woodstock1
  woshishei319 wpcakir264 wrasloco11 wrestling1 writerspace wsbe279qsg wwwooo1234 x3luym2mmj x4ivyga51f
  x8coqx1f1zh x99qomx561 xantria10315 xblhintb9w xenosaga1234 xiang123456 xiaoyua123 xige5516726 xpressmusic
  xtseo2011tdx xxxp455w0rd5 xxxxxxxxxx y6p67ftrqj yagjecc826 yandi20080527 yanshi1982 yaoiisgrand ybrjkftdbx
  ybrjkftdyf yellowcard yemi19900911 yfcnhjtybt yfcnzyfcnz yfdbufnjh10305070 yfdbufnjh63 yfnfitymrf yggdrasil4
  yjdsqgfhjkm yoshimitsu youngmoney yourmom123 youtube123 yu5l97wk8q yuantuo2012 z0102030405 z123456789
  z1x2c3v4b5 z1x2c3v4b5n6 z1x2c3v4b5n6m7 zacatecas1 zaq12wsxcde3 zaq1xsw2cde3 zaqwsxcderfv zaratustra
  zcfvfzkexifz zcxfcnkbdf zcxfcnkbdfz zexts364325 zimmermann33 zjses9evpa zk.kkkkkkkk zmx870919123
  zntiverson03 zqjphsyf6ctifgu zx123456789 zxcasdqwe123 zxcvb12345 zxcvbasdfg zxcvbn123456 zxcvbn3215
  zxcvbnm,./ zxcvbnm123 zxcvbnm1234 zxcvbnm123456789 zxcvbnmmnbvcxz zxcvbnmteamo1 zy19791201 zzzzzzzzzz
`
    .trim()
    .split(/\s+/),
);
