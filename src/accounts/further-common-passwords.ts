/**
 * Common passwords that `@zxcvbn-ts/language-common` lacks and that are no variation of one of its own:
 * single words of the lists of Django, of John the Ripper and of SecLists (the most common ones of two leaks,
 * and those of 2025). THIRD-PARTY-LICENSES.txt says on what terms they come.
 */
export const furtherCommonPasswords = `
  000webhost 001579238 01012009 01022010 04022000 09061976 09121962q 0icotpd785 0r968ji9ufj6 10200718
  111222tianya 1200nerds 12101961 1211109032 121324810z 12345six 123admin321a 123odidol 12qw23we 13587930210
  139381512 14629227 154322358 159258357 16051980 18atcskd2w 19810301 19821108 1fptjtl919 1fr2rfq7xl 1g2w3e4r
  1life2live 1moretime 1ofakind 1olmetec1 1q2w3e4r5t6y7u 1q2w3e4r5t6y7u8i 1q2w3e4r5t6y7u8i9o
  1q2w3e4r5t6y7u8i9o0p 1qaz2wsx3e 1treehill 1v7upjw3nt 1zn6fpn01n 1zn6fpn01x 2000comeer 20070509031 20072008
  20092010 2010comer 2012comeer 21052003 21152117 212224236 21864812 22071972 22152182 2416101113 25257758
  25393275 26665806 27254931 27412678 28081976 29422277 29694419 29rsavoy 2cxdn8s271 2kroliczek 2pacshakur
  31081981rs 31x7t5xbke 32342711 3526535265 393041123 3d8cubaj2e 3daysgrace 3odi15ngxb 3qdlqb49js 3rjs1la2qe
  3rjs5la8qe 3s43pth5aea 421uiopy258 4391634m 43922572 46265216 4everlove 520love101182 52253823 53472235
  5532361cnjqrf 5a8b9c2d 5plk4l5uc7 5x1cjdsb9p 5xfgs3ii9d 622906268 62543234 634142554 67529353 68582988
  6hbf28w791 6v21wbgad 74699723 791159392 82214989 849vak17 85218812 8ix6s1fceh 91866709 92298899 92dk2cidp
  92k2cizcdp 94246843 94327579 9uzp9jek3f @bigmir.net a1169619 a838hfid aabb1122 aboy1234 accountant acropolis
  aczx7812 addl0223 adekunle adminisp admintelecom agustina ahbird1984 akademiks11 akax89wn akopa123
  aksrms8010 aliceadsl alinutza allahakbar allahis1 alliswell allrecipes almario927 amdturion64 amoreterno
  amorsito amoureuse andreina andreita andrusic1 angedemon angelbaby angelbaby1 angelgirl angelseye22 anno1602
  antoinette aobo2010 apsk54321 aptx4869 aquamarine arcobaleno armorgames asd666fds asdf:lkj asdf;lkj ashutosh
  atlars10 aug!272010 augustine automobil awei1616 b2spirit babatunde babyangel babymama1 babypink backstreet
  badbitch1 baili123com ballerina bambolina bamidele bangaram barbiegirl barcelone bbleo1zz bellissima
  bestfriends bff4ever bhabycoh bharathi billiejoe billiejoe1 bkl29m2bk bl8lygb0 blackwater blkdrag0ns
  blogs123 blood4life blueangel bobesponja boguska123 borboleta boulette boycrazy bratz123 briciola brokenhear
  brokenheart brownsugar bubulina bucuresti bunnyboo butterball butterflies buzhidao bvp33w7epu bwfq23jp7f
  byusdg23 camilita campanita candyfloss candygirl candygirl1 capricornio caramella carebears carebears1
  cds04121989 cepetsugih chanelbag charline chasity1 cheekymonkey cheerleade cheerleading cheguevara
  chicharito choupette christelle chutrung cjmasterinf cksdnd12 classof06 classof07 classof08 classof09
  classof200 classof201 classroom clementine clochette cm6e7aumn9 coccinella complicated concepcion conejita
  contrase contraseña cookiemons cookiemonster corazones coregmedia corentin cornflake countryboy couponmom
  couponsc10 crazybitch crazydog crazygirl crazygirl1 crip4life cristiana crowbird cucciola cunningham
  d0r1nc0urt d2xyw89sxj d71lwz9zjs d9zufqd92n daddygirl1 daddyyankee dalbas73 damilare dance4life danielita
  danielito davidic1 ddzj39cb3 dearbook dedewang degrassi1 delfines demilovato demon1q2w3e demon1q2w3e4r
  demon1q2w3e4r5t den221991 derp12!@ deusefiel dfa72dfj dfg5fhg5vgfh1 diciembre dieguito diosesamor diosesfiel
  diwtgm8492 dkssud12 dkxjizc282 doctorwho domenica dominican1 dontforget doodlebug doodlebug1 dookenr1
  doomsayer.2.7mords.v doomsayer.2.7mords.vv doudoune dpbk1234 dragoste dramaqueen dulcemaria e2yfp41b
  e3r4t5y6 eastenders easyas123 echizen18 edxk20qmfs eh1k9oh335 ehdgnl12 electrical elisabetta emmanuelle
  emotional employment enamorada eqes606898 estefany estrelinha estrellas estrellita ethanryan01 evildick
  evony123 evony192 f1uuhza723 faca210898 familiyafamiliya family1st farfallina farmacia feder_1941 fenchel55
  fener1907 find_pass fiorella fk3456abc flaquita flatblocker florentina floricienta flowerpot flowerpower
  forzainter forzajuve forzamilan forzanapoli foxracing1 fqrg7cs493 fragolina francoise freemusic friends4ev
  friends4ever friendsforever fu7u4a#$$$ fuchurli fuckthewor fuckyouall fuckyoubit fuk19600 fuku00198
  fullaccess funmilola fxzz75$yer fxzz75yer fysihz5g g13916055158 g9l2d1fzpy gambion32 gammaphi garfunkel
  gdcc9921 georgiana gerardway gettherefast gfs2z6wb gigaman8891 girlpower girlsrule giulietta glamorous
  glamorous1 godblessme godhelpme godim001 godisable godlovesme golfcourse golfinho goodcharlotte google.com
  googletester gossipgirl graciela grenouille gribouille groovychick gtavicecity gummybear gunsnroses gusanito
  gutschein gvt12345 gwapoako gwarmonster gwerty123 gymnastics h1xp2z2duk h2vwdubjx4 h4t3cr3w hallowell
  hannahmont hannahmontana hans4queck happybunny happyfeet happyfeet1 happygirl harekrishna harrypotte
  hawkesbury93 hbhc8290826 heartbreak heartbreaker heartbroke heartbroken henni1907 herbalife heterosexual
  hevhk43n9j hey12345 hgrfqg4577 highschool hilaryduff himanshu histoire historia hm9958123 holyspirit
  homelesspa honeybunny honeykoh hot97hot hotmail.com hotmail1 hotmail123 hotpink1 hrenota1 huhbbhzu78
  hunnybunny hurensohn hx28o9e646 iamnumber1 iamthebest ibanezjs ibicguwjic ichliebedi ichliebedich icthus01
  icxkyb7972 id6c3wr6un ig4abox4 igetmoney1 ignoranto ihatethisgame ilds4edad iloveadam ilovealex ilovealex1
  iloveben iloveboys iloveboys1 ilovecats ilovechris ilovedan ilovedavid ilovedogs iloveindia ilovejake
  ilovejames ilovejason ilovejoe ilovejoe1 ilovejohn ilovejosh ilovejosh1 ilovejusti ilovekyle iloveluke
  ilovemark ilovematt ilovematt1 ilovemike ilovemike1 ilovemybab ilovemydad ilovemyfam ilovemykid ilovemykids
  ilovemymom ilovemymum ilovemysel ilovenick ilovenick1 ilovepink iloveryan iloveryan1 ilovetom iloveyouba
  iloveyouso iloveyoux3 iminlove imnumber1 imthebest imthebest1 inactive1996aug independen indya123 ineedyou
  infinito informix instructor integrity internazionale itsmylife iw14fi9j iw14fi9jwqa iw14fi9jxl j1v1fp2bxm
  j38ifubn j4n4jel4 j5644574 jackmore1 jaigurudev jaihanuman jakcgt333 jarox1301! jcdenis1 jdd04257 jellybeans
  jesucristo jesuscristo jesuslives jesusloves jesuslovesme jethrotull jetsmets jfgvcqbuzug ji394su3
  jiang8kevin jiefang007 jjcg16dj5k jkiuztdftl57 joaninha jobshop2002 joejonas joejonas1 john!20130605at1753
  johnlock johnnydepp jolinek33 jomacapa jonasbrothers josemanuel josette1 juanpablo juliocesar jundian2011xr
  justinbieb juventini k47rizxt2g ka_djkhjsy6 kahitano kapej111 kapler123 karakartal karencita kartoffelpuffer
  karukera kevnwo128 keyblade kifj9n7bfu kikeunyw kimerald kingjames kinomoto89 kittylove kmzwa8awaa
  knackwurst8853 kowalski krystyna56 kuana230345 kurdistan l1nk3d1n l1nked1n l6ho3tg7wb ladiesman1
  laurel12creek layouts1 lebronjame leliane50934 leolong1985 lexor123 lightpower12345 lilangel lilpimp1
  lilromeo limegreen limegreen1 lincogo1 lindinha linked123 linkedin linkedin1 linkedin11 linkedin123
  linkedin2011 linkedln lipgloss lipgloss1 lisamarie lissabon lissette live4him lmapacey lolek123 looby123
  lordjesus lorenita loserface1 louloute love2love love4eva love4life lovehim1 lovejesus lovelygirl lovemom1
  lovemykids lovesucks lovesucks1 loveu4ever lovingyou loxpider luckystar ludi1234 ludivine luisteamo luv4ever
  lydcc20091314 m01759766727 m1am1b3ach m1chp00h madafaka maella1311 magandaako maggiemay magodeoz mahalcoh
  mahalkoh majordomo mamika10 mamikawada manchesterunited maplestory maranatha marek14michal margarida
  marguerite mariajose marianita maricris marinara marmotte marygrace maryrose mase4ever mattingly matyas2001
  maximiliano mayquinn2 mbahurip meenakshi mega_pizdetz666 megaparol megaparol12345 megasecret memyselfandi
  mgreen39 michaeljac michoacan1 mickeymous mifamilia migrationschool miguelangel miguelito mikejones1
  miley123 mileycyrus minicalibra minniemouse mirantte mishijos mississipp mkal2707 mmo110110 mobsters1
  moderncombat mommyof2 mommyof3 moncoeur monserrat monstercha monterrey morangos morecats morenita motherof2
  motherof3 moumoune mrf11277215 ms0083jxj mumanddad music4life music4me mustapha mv46vkmz10 my1space mybabies
  myblocker mychemicalromance myfather mylinkedin myspace.co myspace4me myspacepas n0=acc3ss n8zgt5p0shw=
  nanou4552 natiichen999 nenalinda networking new975wen newaccount newcourt newpasswor newthree51 newvision
  nha7ebf6kp nickelback nickiminaj nickjonas nickjonas1 nicoleta nicoletta nideknil nks230kjs82 no1knows
  noiembrie nomeacuerdo nonmember nothings123 noviembre nowehaslo nssadmin numberone nummero1 nyq28giz1z
  ocpoook325 ogplanet ohmnamah23 oks65b6666 olalekan olamilekan olanrewaju olatunji olayinka olitec00
  olo65b6666 olusegun oluwaseun omarion1 omshanti one2three onedirection oojs4ykl opelcorsa opernhaus1
  ordenador ordinateur orlandobloom ossi2000 ou29q6666 overdrive ovr220278 owt243ygbh owt243ygbj p3rat54797
  p5415420 paluso00 pamelita papatoma1 partytime patterson pe#5gz29ptzmse pedarsag peluchin petewentz
  philippine pilipinas pimp4life pinkgirl pinkpanther pisicuta pk3x7w9w pocahontas poepen19 pok29q6666
  polenka1 pomalo123 poopmaster poptropica porcodio poupette poupoune povlmly727 povray14 powerpuff ppoo0099
  pqntmt1247 prasanna prettyme princesita principessa prinsesa projectsadminx przyjaciolki psicologia
  psychology puppylove puppylove1 q0tsrbv488 qarglr123 qdujvyg5sxa qh6xl1p9xj qiciqdp162 qq18ww899 qqww1122
  qti7zxh18u qugrqfo825 qwegta13091990 qwerpoiu qwerrewq r9lw4j8khx rabat1945 raffaella raiderz1 randyorton
  rangersfc rastafarian rbotmvz954 rdukv46x realestate realnigga1 redab1993 rememberme remo1d72a rencontre
  resing1965 rksk3210 roanne42300 rodrigues rosalinda roxygirl rtw150809 ruler1991 s8ylpe9jdpvym sagitario
  sagitarius salamanca salmankhan sampdoria sangeetha santhosh saraswati sardegna sasin414 sassi123 sassygirl
  schokolade scorpione scvmofas79 sdf7asdf6asdg8df seanpaul seigneur selenagome semangat semarang
  seniseviyorum sentnece septiembre sevgilim sextrime1 sexy4life sexyback sexyback1 sexyblack1 sexychick
  sexychick1 sexygurl sexygurl1 shadmoss sig53num silkroad silvestre sipfhair sirenita sk8erboi sk8erboy
  ska02ska skate4life skateordie skaterboy1 skaterdude skyliner34 slideshow slovensko slunicko smb0512bz
  snorre98 soleluna solitario somanypickles27 soukayna souljaboy souljaboy1 southpole1 soylamejor speak2me
  speranza spez3012 spionin8688 spitsy16 spongecola srikanth ss563563ss ssyu1314 starburst starburst1
  staredobre startfinding starwarsfan10 stefangreil1983 steflio3123 sternchen successful supa1906 superpets
  superwoman surena13 surenos13 surethang surside13 swampfire sweetangel sweethome sweetlove sweetypie
  sz9kqcctwy szczurek taishan2011 tamahome tanginamo tartaruga teamobebe teamomiamor teamomucho teenaa111
  tekieromucho telechargement teonamaria1 tequieromucho terserah thatshot thejudge thelorax theonly1 theused1
  theworldinyourhand thinkpink threekids tichuots tigerlily tl281188t tmnet123 tmvlzj12 tnk0mk16vx tolulope
  tombrady12 topbutton total12scherz trabalho trackstar1 trandafir transforme traviesa treguier triskelion
  tronwell ttd955audg tuputamadre turktelekom tweetybird ty2t1hv3oc tyrael04 tzir25l5kn u1v7hhh7ef u83xu3u83
  uhfaabnb uhfybn8888 underoath underoath1 univers2l universo uphill45 uqa9ebw445 uvgx8f8232 vaishali
  vascorossi vergessen veri1234 vfhbjk1801 villanueva viphv5j736 viridiana vitor1268123 voldemort vrbgqns997
  vuc7neyu0 w12101957 w1aubvoq w5tn36alfw w5txn36alfw w66yrybgra walalang waldiw82 wangyut2 weyersheim
  whatthezor whitetiger whoville wildchild wilfried windowsxp winniethepooh woaiwojia woshishui woshiyazi
  wpcakir264 wrasloco11 wsbe279qsg wubin007 x3luym2mmj x4ivyga51f x99qomx561 xantria10315 xblhintb9w xdqwerty
  xige5516726 xlsl9963 xred4654 xt97794xt xtseo2011tdx y6p67ftrqj yagjecc826 yahoo.com yahoo100 yahoo123
  yahoomail yandi20080527 yaoiisgrand yellowcard yemi19900911 yfdbufnjh10305070 yggdrasil4 youbye123
  youngmoney yourgay1 yu5l97wk8q yuantuo2012 zacatecas1 zacefron zacefron1 zag12wsx zbychlas zesh1412
  zhd741220 zmx870919123 zooyork1 zzs000000 rockyou
`;
